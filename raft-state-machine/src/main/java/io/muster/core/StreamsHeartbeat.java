package io.muster.core;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * StreamsGroupHeartbeat (KIP-1071). A null field did not change since the last heartbeat.
 *
 * @param memberEpoch 0 joins, -1 leaves, -2 leaves for a while (static members)
 * @param rebalanceTimeoutMillis milliseconds, -1 if unchanged
 * @param tasks the tasks that the member owns
 * @param apiVersion version of the request, 0 or 1
 */
public record StreamsHeartbeat(
        String groupId,
        String memberId,
        int memberEpoch,
        int endpointInformationEpoch,
        @Nullable String instanceId,
        @Nullable String rackId,
        int rebalanceTimeoutMillis,
        @Nullable Topology topology,
        OwnedTasks tasks,
        @Nullable String processId,
        @Nullable Endpoint userEndpoint,
        @Nullable SortedMap<String, String> clientTags,
        @Nullable List<TaskOffset> taskOffsets,
        @Nullable List<TaskOffset> taskEndOffsets,
        boolean shutdownApplication,
        ClientInfo client,
        int apiVersion)
        implements StreamsCommand, MemberHeartbeat {
    @Override
    public <T> T accept(StreamsCommand.Handler<T> handler) {
        return handler.on(this);
    }

    @Override
    public GroupType groupType() {
        return GroupType.STREAMS;
    }

    @Override
    public boolean isKeepAlive() {
        return memberEpoch > 0 && equals(asKeepAlive());
    }

    @Override
    public StreamsHeartbeat asKeepAlive() {
        return new StreamsHeartbeat(
                groupId,
                memberId,
                memberEpoch,
                endpointInformationEpoch,
                instanceId,
                null,
                -1,
                null,
                OwnedTasks.UNCHANGED,
                null,
                null,
                null,
                null,
                null,
                false,
                client,
                apiVersion);
    }

    /** The tasks of a member by subtopology id; each list is null if it did not change. */
    public record OwnedTasks(
            @Nullable Partitions<String> active,
            @Nullable Partitions<String> standby,
            @Nullable Partitions<String> warmup) {
        public static final OwnedTasks UNCHANGED = new OwnedTasks(null, null, null);

        /** What the member owns, or empty if it did not say. */
        public Optional<TaskAssignment> known() {
            return active == null || standby == null || warmup == null
                    ? Optional.empty()
                    : Optional.of(new TaskAssignment(active, standby, warmup));
        }
    }
}
