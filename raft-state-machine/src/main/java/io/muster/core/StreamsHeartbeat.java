package io.muster.core;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * StreamsGroupHeartbeat (KIP-1071). A null field did not change since the last heartbeat.
 *
 * @param tasks the tasks that the member owns
 */
public record StreamsHeartbeat(
        Sender sender,
        int endpointInformationEpoch,
        @Nullable Topology topology,
        OwnedTasks tasks,
        ProcessDetails process,
        OffsetReport offsets,
        boolean shutdownApplication)
        implements StreamsCommand, MemberHeartbeat {
    /** What the member says of the process that it runs in. */
    public record ProcessDetails(
            @Nullable String processId,
            @Nullable Endpoint userEndpoint,
            @Nullable SortedMap<String, String> clientTags) {
        public static final ProcessDetails UNCHANGED = new ProcessDetails(null, null, null);
    }

    /** How far the member's copies of tasks are, and the ends of their changelogs, as sums by task. */
    public record OffsetReport(
            @Nullable List<TaskOffset> offsets, @Nullable List<TaskOffset> endOffsets) {
        public static final OffsetReport UNCHANGED = new OffsetReport(null, null);
    }

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
        return memberEpoch() > 0 && equals(asKeepAlive());
    }

    @Override
    public StreamsHeartbeat asKeepAlive() {
        return new StreamsHeartbeat(
                sender.unchanged(),
                endpointInformationEpoch,
                null,
                OwnedTasks.UNCHANGED,
                ProcessDetails.UNCHANGED,
                OffsetReport.UNCHANGED,
                false);
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
