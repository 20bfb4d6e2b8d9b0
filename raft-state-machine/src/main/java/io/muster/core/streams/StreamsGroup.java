package io.muster.core.streams;

import io.muster.core.Group;
import io.muster.core.GroupDraft;
import io.muster.core.GroupState;
import io.muster.core.GroupType;
import io.muster.core.StreamsGroupRecord.GroupSet;
import io.muster.core.Topology;
import io.muster.core.TypedGroup;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * A Streams group.
 *
 * @param status epochs and what else concerns the whole group
 * @param topologies none until the first join's records are folded in
 */
record StreamsGroup(GroupSet status, Topologies topologies, StreamsMembers members) implements TypedGroup {
    /** A group of which no record is folded in yet. */
    static final StreamsGroup NEW = new StreamsGroup(
            new GroupSet(0, 0, 0, -1, -1, 0, new TreeMap<>(), ""), Topologies.NONE, StreamsMembers.NONE);

    /** The group as drafted so far; new if there is none. */
    static StreamsGroup of(GroupDraft draft) {
        return of(draft.group());
    }

    static StreamsGroup of(Group group) {
        return group.typed() instanceof StreamsGroup streams ? streams : NEW;
    }

    @Override
    public Optional<GroupType> type() {
        return Optional.of(GroupType.STREAMS);
    }

    @Override
    public GroupState state() {
        if (isEmpty()) {
            return GroupState.EMPTY;
        }
        if (!isReady()) {
            return GroupState.NOT_READY;
        }
        if (groupEpoch() > assignmentEpoch()) {
            return GroupState.ASSIGNING;
        }
        boolean stable = members.all().stream().allMatch(member -> member.isReconciledTo(assignmentEpoch()));
        return stable ? GroupState.STABLE : GroupState.RECONCILING;
    }

    @Override
    public int groupEpoch() {
        return status.groupEpoch();
    }

    @Override
    public int assignmentEpoch() {
        return status.assignmentEpoch();
    }

    @Override
    public SortedSet<String> topicsOfInterest() {
        return topologies.requiredTopics();
    }

    /** The group's topology. */
    Optional<Topology> topology() {
        return topologies.newest();
    }

    /** The topology that a member has; the group's if its own is not known. */
    Topology topologyOf(StreamsMember member) {
        return topologies
                .find(member.profile().topologyEpoch())
                .or(this::topology)
                .orElseThrow();
    }

    /** The older topology that the tasks follow until the group's is ready, as long as any member has it. */
    Optional<Topology> olderInForce() {
        int epoch = status.topologyInForce();
        boolean isOlder = topology().filter(newest -> epoch < newest.epoch()).isPresent();
        return isOlder && members.topologyEpochs().contains(epoch) ? topologies.find(epoch) : Optional.empty();
    }

    /** Whether the topics fitted the group's topology when the group epoch was last raised. */
    boolean isReady() {
        return topology()
                .filter(some -> some.epoch() == status.validatedTopologyEpoch())
                .isPresent();
    }

    StreamsGroup withStatus(GroupSet next) {
        return new StreamsGroup(next, topologies, members);
    }

    StreamsGroup withTopologies(Topologies next) {
        return new StreamsGroup(status, next, members);
    }

    StreamsGroup withMembers(StreamsMembers next) {
        return new StreamsGroup(status, topologies, next);
    }
}
