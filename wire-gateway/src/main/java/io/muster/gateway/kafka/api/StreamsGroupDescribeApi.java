package io.muster.gateway.kafka.api;

import io.muster.core.Bytes;
import io.muster.core.GroupCommand;
import io.muster.core.GroupDescription;
import io.muster.core.GroupType;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorMapper;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.StreamsGroupDescribeRequestData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.TopologyDescription;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

/** StreamsGroupDescribe (KIP-1071). */
public final class StreamsGroupDescribeApi implements Api {
    private static final byte NOT_STORED = 1;
    private static final byte AVAILABLE = 3;

    private final Coordinator coordinator;

    public StreamsGroupDescribeApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.STREAMS_GROUP_DESCRIBE;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        StreamsGroupDescribeRequestData asked = request.body(StreamsGroupDescribeRequestData.class);
        List<CompletableFuture<DescribedGroup>> groups = asked.groupIds().stream()
                .map(id -> describe(id, asked, request.version()))
                .toList();
        return Route.Answer.of(
                Answers.all(groups).thenApply(all -> new StreamsGroupDescribeResponseData().setGroups(all)));
    }

    private CompletableFuture<DescribedGroup> describe(
            String groupId, StreamsGroupDescribeRequestData asked, short version) {
        return Answers.bounded(coordinator.submit(new GroupCommand.Describe(groupId, GroupType.STREAMS)))
                .thenApply(response -> response instanceof GroupDescription.Streams group
                        ? group(group, asked, version)
                        : refused(groupId, Answers.refusal(response)));
    }

    private static DescribedGroup refused(String groupId, Response.Refused refused) {
        return new DescribedGroup()
                .setGroupId(groupId)
                .setErrorCode(ErrorMapper.codeOf(refused.error()))
                .setErrorMessage(groupId.isEmpty() ? null : refused.message());
    }

    private static DescribedGroup group(
            GroupDescription.Streams group, StreamsGroupDescribeRequestData asked, short version) {
        DescribedGroup described = StreamsDescriptions.group(group);
        if (asked.includeAuthorizedOperations()) {
            described.setAuthorizedOperations(Kafka.ALL_GROUP_OPERATIONS);
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
