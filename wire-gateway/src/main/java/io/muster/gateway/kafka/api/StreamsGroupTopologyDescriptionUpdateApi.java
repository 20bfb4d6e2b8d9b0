package io.muster.gateway.kafka.api;

import io.muster.core.Bytes;
import io.muster.core.Response;
import io.muster.core.StreamsCommand;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorMapper;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateRequestData;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateRequestData.TopologyDescription;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.MessageUtil;

/** StreamsGroupTopologyDescriptionUpdate (KIP-1331). */
final class StreamsGroupTopologyDescriptionUpdateApi implements Api {
    private final Coordinator coordinator;

    StreamsGroupTopologyDescriptionUpdateApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        String groupId = request.body(StreamsGroupTopologyDescriptionUpdateRequestData.class)
                .groupId();
        return Concern.of(Concern.Kind.WRITE, groupId, false);
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        StreamsGroupTopologyDescriptionUpdateRequestData data =
                request.body(StreamsGroupTopologyDescriptionUpdateRequestData.class);
        StreamsCommand command = new StreamsCommand.UpdateTopologyDescription(
                data.groupId(), data.memberId(), data.topologyEpoch(), bytes(data.topologyDescription()));
        return Route.Answer.of(Answers.forReader(
                session,
                data.groupId(),
                () -> coordinator.submit(command).thenApply(StreamsGroupTopologyDescriptionUpdateApi::answer),
                error -> new StreamsGroupTopologyDescriptionUpdateResponseData().setErrorCode(error.code())));
    }

    /** What was read can be written again, unless unknown fields came in an order that is none. */
    private static Bytes bytes(TopologyDescription description) throws MalformedRequestException {
        if (description.subtopologies().isEmpty() && description.globalStores().isEmpty()) {
            return Bytes.EMPTY;
        }
        try {
            return Bytes.copyOf(MessageUtil.byteBufferToArray(
                    MessageUtil.toByteBufferAccessor(description, (short) 0).buffer()));
        } catch (RuntimeException e) {
            throw new MalformedRequestException("a topology description that cannot be kept", e);
        }
    }

    private static StreamsGroupTopologyDescriptionUpdateResponseData answer(Response response) {
        if (response instanceof Response.Done) {
            return new StreamsGroupTopologyDescriptionUpdateResponseData();
        }
        Response.Refused refused = Answers.refusal(response);
        return new StreamsGroupTopologyDescriptionUpdateResponseData()
                .setErrorCode(ErrorMapper.codeOf(refused.error()))
                .setErrorMessage(refused.message());
    }
}
