package io.muster.core.streams;

import io.muster.core.GroupMembers;
import io.muster.core.PersistentMap;
import io.muster.core.StreamsGroupRecord.CurrentSet;
import io.muster.core.StreamsGroupRecord.MemberSet;
import io.muster.core.StreamsGroupRecord.TaskOffsetsSet;
import io.muster.core.TaskAssignment;
import io.muster.core.group.Counts;
import io.muster.core.group.MemberIndex;
import io.muster.core.group.MemberIndex.Parts;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The members of a Streams group, and what follows from what is recorded of them.
 *
 * @param offsets the last task offsets of each member that reported any
 * @param topologyEpochs how many members have the topology of each epoch
 * @param holders who holds each task
 */
record StreamsMembers(
        MemberIndex<MemberSet, CurrentSet, TaskAssignment> index,
        PersistentMap<String, TaskOffsetsSet> offsets,
        Counts<Integer> topologyEpochs,
        TaskHolders holders)
        implements GroupMembers<StreamsMember> {
    static final StreamsMembers NONE =
            new StreamsMembers(MemberIndex.empty(), PersistentMap.empty(), Counts.none(), TaskHolders.NONE);

    @Override
    public int size() {
        return index.size();
    }

    @Override
    public Optional<StreamsMember> find(String memberId) {
        return index.find(memberId).map(this::member);
    }

    @Override
    public Optional<StreamsMember> findStatic(String instanceId) {
        return index.findStatic(instanceId).map(this::member);
    }

    @Override
    public List<StreamsMember> all() {
        return index.all().stream().map(this::member).toList();
    }

    StreamsMembers with(MemberSet set) {
        return new StreamsMembers(
                index.withProfile(set),
                offsets,
                epochsWithout(set.memberId()).plus(List.of(set.topologyEpoch())),
                holders);
    }

    StreamsMembers with(CurrentSet set) {
        return new StreamsMembers(
                index.withCurrent(set),
                offsets,
                topologyEpochs,
                holdersWithout(set.memberId()).with(set));
    }

    StreamsMembers withTarget(String memberId, TaskAssignment tasks) {
        return new StreamsMembers(index.withTarget(memberId, tasks), offsets, topologyEpochs, holders);
    }

    StreamsMembers with(TaskOffsetsSet set) {
        return new StreamsMembers(index, offsets.with(set.memberId(), set), topologyEpochs, holders);
    }

    StreamsMembers without(String memberId) {
        return new StreamsMembers(
                index.without(memberId), offsets.without(memberId), epochsWithout(memberId), holdersWithout(memberId));
    }

    private StreamsMember member(Parts<MemberSet, CurrentSet, TaskAssignment> parts) {
        MemberSet profile = Objects.requireNonNull(parts.profile());
        CurrentSet current = parts.current();
        TaskAssignment target = parts.target();
        String id = profile.memberId();
        return new StreamsMember(
                profile,
                current == null ? CurrentSet.atJoin(id) : current,
                target == null ? TaskAssignment.EMPTY : target,
                offsets.find(id).orElseGet(() -> TaskOffsetsSet.none(id)));
    }

    private Counts<Integer> epochsWithout(String memberId) {
        return index.profile(memberId)
                .map(profile -> topologyEpochs.minus(List.of(profile.topologyEpoch())))
                .orElse(topologyEpochs);
    }

    private TaskHolders holdersWithout(String memberId) {
        return index.current(memberId).map(holders::without).orElse(holders);
    }
}
