package io.muster.core;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Facts about a Streams group. */
public sealed interface StreamsGroupRecord extends GroupRecord {
    /** Does something for each kind; a new kind does not compile until everybody does. */
    interface Handler<T> {
        T on(GroupSet record);

        T on(TopologySet record);

        T on(TopologyForgotten record);

        T on(TopologyDescriptionSet record);

        T on(MemberSet record);

        T on(TaskOffsetsSet record);

        T on(MemberRemoved record);

        T on(TargetSet record);

        T on(CurrentSet record);
    }

    /** Hands the record to the method of its kind. */
    <T> T accept(Handler<T> handler);

    @Override
    default <T> T accept(GroupRecord.Handler<T> handler) {
        return handler.on(this);
    }

    /**
     * The group exists and stands here.
     *
     * @param assignedAtMillis when the last target was computed, milliseconds since 1970; 0 if the next one need not wait
     * @param validatedTopologyEpoch epoch of the topology in force if it fits the topics, -1 if it does not
     * @param topologyInForce epoch of the topology that the tasks follow: an older one than the group's until the group's fits
     *     the topics; -1 if the group had no member since it was founded
     * @param numStandbyReplicas the number of standby replicas that the group epoch was raised with
     * @param assignmentConfigs other configs of the assignment that the group epoch was raised with, see {@link
     *     GroupConfigs#ofAssignment}
     * @param shutdownMemberId the member that asked all to shut down, empty if none did since the group was empty
     */
    record GroupSet(
            int groupEpoch,
            int assignmentEpoch,
            long assignedAtMillis,
            int validatedTopologyEpoch,
            int topologyInForce,
            int numStandbyReplicas,
            SortedMap<String, String> assignmentConfigs,
            String shutdownMemberId)
            implements StreamsGroupRecord {
        public GroupSet {
            assignmentConfigs = Collections.unmodifiableSortedMap(new TreeMap<>(assignmentConfigs));
        }

        public GroupSet withShutdownMemberId(String memberId) {
            return new GroupSet(
                    groupEpoch,
                    assignmentEpoch,
                    assignedAtMillis,
                    validatedTopologyEpoch,
                    topologyInForce,
                    numStandbyReplicas,
                    assignmentConfigs,
                    memberId);
        }

        /** The group has no topology any more. */
        public GroupSet withoutTopology() {
            return new GroupSet(
                    groupEpoch,
                    assignmentEpoch,
                    assignedAtMillis,
                    -1,
                    -1,
                    numStandbyReplicas,
                    assignmentConfigs,
                    shutdownMemberId);
        }

        /** The target of this group epoch is in force from now on. */
        public GroupSet assignedAt(int epoch, long millis) {
            return new GroupSet(
                    groupEpoch,
                    epoch,
                    millis,
                    validatedTopologyEpoch,
                    topologyInForce,
                    numStandbyReplicas,
                    assignmentConfigs,
                    shutdownMemberId);
        }

        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** A topology as members of its epoch send it; that of the highest epoch is the group's. */
    record TopologySet(Topology topology) implements StreamsGroupRecord {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** Nothing needs the topology of this epoch any more, nor its description. */
    record TopologyForgotten(int topologyEpoch) implements StreamsGroupRecord {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** The textual description that a member pushed for the topology of this epoch. */
    record TopologyDescriptionSet(int topologyEpoch, Bytes description) implements StreamsGroupRecord {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** What a member told about itself. */
    record MemberSet(
            Details details,
            int topologyEpoch,
            String processId,
            @Nullable Endpoint userEndpoint,
            SortedMap<String, String> clientTags)
            implements StreamsGroupRecord, MemberProfile {
        public MemberSet {
            clientTags = Collections.unmodifiableSortedMap(new TreeMap<>(clientTags));
        }

        /** The same profile with other details. */
        public MemberSet withDetails(Details next) {
            return new MemberSet(next, topologyEpoch, processId, userEndpoint, clientTags);
        }

        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** The last task offsets that a member reported. */
    record TaskOffsetsSet(String memberId, List<TaskOffset> offsets, List<TaskOffset> endOffsets)
            implements StreamsGroupRecord {
        public TaskOffsetsSet {
            offsets = List.copyOf(offsets);
            endOffsets = List.copyOf(endOffsets);
        }

        /** Of a member that told none. */
        public static TaskOffsetsSet none(String memberId) {
            return new TaskOffsetsSet(memberId, List.of(), List.of());
        }

        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** The member is gone, with all that was recorded under its id. */
    record MemberRemoved(String memberId) implements StreamsGroupRecord, GroupRecord.OfRemoval {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** What the member shall have. */
    record TargetSet(String memberId, TaskAssignment tasks) implements StreamsGroupRecord {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** Where the member stands on its way to its target. */
    record CurrentSet(
            String memberId,
            int memberEpoch,
            int previousMemberEpoch,
            TaskAssignment assigned,
            TaskAssignment pendingRevocation)
            implements StreamsGroupRecord, CurrentAssignment {
        /** A member that joins: it has nothing. */
        public static CurrentSet atJoin(String memberId) {
            return new CurrentSet(memberId, 0, 0, TaskAssignment.EMPTY, TaskAssignment.EMPTY);
        }

        @Override
        public boolean isRevoking() {
            return !pendingRevocation.isEmpty();
        }

        @Override
        public CurrentSet away() {
            return new CurrentSet(
                    memberId,
                    MemberHeartbeat.TEMPORARY_LEAVE_EPOCH,
                    previousMemberEpoch,
                    assigned,
                    TaskAssignment.EMPTY);
        }

        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }
}
