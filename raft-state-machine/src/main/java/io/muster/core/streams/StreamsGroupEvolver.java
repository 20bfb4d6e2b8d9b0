package io.muster.core.streams;

import io.muster.core.StreamsGroupRecord;

/** Applies the facts about Streams groups. */
record StreamsGroupEvolver(StreamsGroup group) implements StreamsGroupRecord.Handler<StreamsGroup> {
    @Override
    public StreamsGroup on(StreamsGroupRecord.GroupSet set) {
        return group.withStatus(set);
    }

    @Override
    public StreamsGroup on(StreamsGroupRecord.TopologySet set) {
        return group.withTopologies(group.topologies().with(set.topology()));
    }

    @Override
    public StreamsGroup on(StreamsGroupRecord.TopologyForgotten forgotten) {
        return group.withTopologies(group.topologies().without(forgotten.topologyEpoch()));
    }

    @Override
    public StreamsGroup on(StreamsGroupRecord.TopologyDescriptionSet set) {
        return group.withTopologies(group.topologies().with(set));
    }

    @Override
    public StreamsGroup on(StreamsGroupRecord.MemberSet set) {
        return group.withMembers(group.members().with(set));
    }

    @Override
    public StreamsGroup on(StreamsGroupRecord.TaskOffsetsSet set) {
        return group.withMembers(group.members().with(set));
    }

    @Override
    public StreamsGroup on(StreamsGroupRecord.MemberRemoved removed) {
        return group.withMembers(group.members().without(removed.memberId()));
    }

    @Override
    public StreamsGroup on(StreamsGroupRecord.TargetSet set) {
        return group.withMembers(group.members().withTarget(set.memberId(), set.tasks()));
    }

    @Override
    public StreamsGroup on(StreamsGroupRecord.CurrentSet set) {
        return group.withMembers(group.members().with(set));
    }
}
