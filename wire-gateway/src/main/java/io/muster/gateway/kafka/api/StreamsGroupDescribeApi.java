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
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.order.Concern;
import io.muster.gateway.kafka.permissions.GroupAccess;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.StreamsGroupDescribeRequestData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.TopologyDescription;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

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
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        List<String> groupIds =
                request.body(StreamsGroupDescribeRequestData.class).groupIds();
        return Concern.of(Concern.Kind.READ, groupIds, false);
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        StreamsGroupDescribeRequestData asked = request.body(StreamsGroupDescribeRequestData.class);
        CompletableFuture<ApiMessage> answer = session.permissions()
                .groups(asked.groupIds())
                .thenCompose(access -> Answers.all(asked.groupIds().stream()
                        .map(id ->
                                describe(id, access.get(id), new Asked(asked, request.version()), session.upstream()))
                        .toList()))
                .thenApply(groups -> Answers.deniedFirst(groups, DescribedGroup::errorCode))
                .thenCompose(groups -> Answers.withoutHidden(
                        groups, session, StreamsGroupDescribeApi::topics, StreamsGroupDescribeApi::hidden))
                .thenApply(groups -> new StreamsGroupDescribeResponseData().setGroups(groups));
        return Route.Answer.of(answer);
    }

    /** What of groups the request asks for, and in which version. */
    private record Asked(StreamsGroupDescribeRequestData request, short version) {}

    private CompletableFuture<DescribedGroup> describe(
            String groupId, @Nullable GroupAccess access, Asked asked, ClientUpstream upstream) {
        if (access == null || !access.mayDescribe()) {
            Errors error = access == null ? Errors.COORDINATOR_NOT_AVAILABLE : access.error();
            return CompletableFuture.completedFuture(
                    new DescribedGroup().setGroupId(groupId).setErrorCode(error.code()));
        }
        return coordinator
                .submit(new GroupCommand.Describe(groupId, GroupType.STREAMS))
                .thenCompose(response -> GroupsUpstream.told(response, groupId, "streams", upstream))
                .thenApply(response -> {
                    if (!(response instanceof GroupDescription.Streams group)) {
                        return refused(groupId, Answers.refusal(response));
                    }
                    DescribedGroup described = group(group, asked.request(), asked.version());
                    return asked.request().includeAuthorizedOperations()
                            ? described.setAuthorizedOperations(access.operations())
                            : described;
                });
    }

    private static DescribedGroup hidden(DescribedGroup group) {
        return new DescribedGroup()
                .setGroupId(group.groupId())
                .setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code())
                .setErrorMessage(Answers.HIDDEN_TOPICS);
    }

    private static Set<String> topics(DescribedGroup group) {
        Set<String> names = new TreeSet<>();
        StreamsGroupDescribeResponseData.Topology topology = group.topology();
        if (topology != null && topology.subtopologies() != null) {
            topology.subtopologies().forEach(subtopology -> {
                names.addAll(subtopology.sourceTopics());
                names.addAll(subtopology.repartitionSinkTopics());
                subtopology.stateChangelogTopics().forEach(topic -> names.add(topic.name()));
                subtopology.repartitionSourceTopics().forEach(topic -> names.add(topic.name()));
            });
        }
        return names;
    }

    private static DescribedGroup refused(String groupId, Response.Refused refused) {
        return new DescribedGroup()
                .setGroupId(groupId)
                .setErrorCode(ErrorMapper.codeOf(refused.error()))
                .setErrorMessage(groupId.isEmpty() ? null : refused.message());
    }

    private static DescribedGroup group(
            GroupDescription.Streams group, StreamsGroupDescribeRequestData asked, short version) {
        DescribedGroup described = DescribedStreamsGroups.group(group);
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
