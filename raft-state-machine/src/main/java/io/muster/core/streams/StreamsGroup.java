package io.muster.core.streams;

import io.muster.core.GroupState;
import io.muster.core.GroupType;
import io.muster.core.StreamsRecord.GroupSet;
import io.muster.core.StreamsRecord.TopologyDescriptionSet;
import io.muster.core.Topology;
import io.muster.core.TypedGroup;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A Streams group.
 *
 * @param status epochs and what else concerns the whole group
 * @param topology empty until the first join's records are folded in
 * @param description the textual topology that a member pushed
 */
record StreamsGroup(
        GroupSet status,
        Optional<Topology> topology,
        Optional<TopologyDescriptionSet> description,
        StreamsMembers members)
        implements TypedGroup {
    /** A group of which no record is folded in yet. */
    static final StreamsGroup NEW =
            new StreamsGroup(new GroupSet(0, 0, 0, -1, 0, ""), Optional.empty(), Optional.empty(), StreamsMembers.NONE);

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
    public SortedSet<String> memberIds() {
        return Collections.unmodifiableSortedSet(
                new TreeSet<>(members.profiles().keySet()));
    }

    @Override
    public SortedSet<String> topicsOfInterest() {
        return topology.map(Topology::requiredTopics).orElseGet(TreeSet::new);
    }

    boolean isEmpty() {
        return members.profiles().isEmpty();
    }

    /** Whether the topics fitted the topology when the group epoch was last raised. */
    boolean isReady() {
        return topology.filter(some -> some.epoch() == status.validatedTopologyEpoch())
                .isPresent();
    }

    StreamsGroup withStatus(GroupSet next) {
        return new StreamsGroup(next, topology, description, members);
    }

    StreamsGroup withTopology(Topology next) {
        return new StreamsGroup(status, Optional.of(next), description, members);
    }

    StreamsGroup withDescription(TopologyDescriptionSet next) {
        return new StreamsGroup(status, topology, Optional.of(next), members);
    }

    StreamsGroup withMembers(StreamsMembers next) {
        return new StreamsGroup(status, topology, description, next);
    }
}
