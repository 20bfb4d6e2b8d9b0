package io.muster.gateway.kafka.api;

import io.muster.core.Bytes;
import io.muster.core.GroupDescription;
import io.muster.core.GroupType;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.message.StreamsGroupDescribeRequestData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.TopologyDescription;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

/** StreamsGroupDescribe (KIP-1071). */
final class StreamsGroupDescribeApi implements Api {
    private static final byte NOT_STORED = 1;
    private static final byte AVAILABLE = 3;

    private final DescribePipeline<GroupDescription.Streams> pipeline;

    StreamsGroupDescribeApi(Coordinator coordinator) {
        this.pipeline = new DescribePipeline<>(
                coordinator,
                GroupType.STREAMS,
                GroupDescription.Streams.class,
                group -> StreamsRequests.topics(group.topology()));
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.STREAMS_GROUP_DESCRIBE;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        List<String> groupIds =
                request.body(StreamsGroupDescribeRequestData.class).groupIds();
        return Concern.of(Concern.Kind.READ, groupIds, false);
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        StreamsGroupDescribeRequestData asked = request.body(StreamsGroupDescribeRequestData.class);
        return Route.Answer.of(pipeline.describe(asked.groupIds(), session)
                .thenApply(outcomes -> new StreamsGroupDescribeResponseData()
                        .setGroups(outcomes.stream()
                                .map(outcome -> group(outcome, asked, request.version()))
                                .toList())));
    }

    private static DescribedGroup group(
            DescribePipeline.Outcome<GroupDescription.Streams> outcome,
            StreamsGroupDescribeRequestData asked,
            short version) {
        GroupDescription.Streams group = outcome.group();
        if (group == null) {
            return new DescribedGroup()
                    .setGroupId(outcome.groupId())
                    .setErrorCode(outcome.error().code())
                    .setErrorMessage(outcome.message());
        }
        DescribedGroup described = DescribedStreamsGroups.group(group);
        if (asked.includeAuthorizedOperations()) {
            described.setAuthorizedOperations(outcome.operations());
        }
        if (version == 0) {
            return described;
        }
        described.setAssignorName(group.assignorName());
        return asked.includeTopologyDescription() ? withDescription(described, group.topologyDescription()) : described;
    }

    /** The stored bytes are the request's, whose schema is the same. */
    private static DescribedGroup withDescription(DescribedGroup described, Bytes stored) {
        if (stored.equals(Bytes.EMPTY)) {
            return described.setTopologyDescriptionStatus(NOT_STORED);
        }
        TopologyDescription description = new TopologyDescription();
        description.read(new ByteBufferAccessor(ByteBuffer.wrap(stored.toArray())), (short) 1);
        return described.setTopologyDescription(description).setTopologyDescriptionStatus(AVAILABLE);
    }
}
