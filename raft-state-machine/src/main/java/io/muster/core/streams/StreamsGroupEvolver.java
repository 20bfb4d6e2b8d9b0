package io.muster.core.streams;

import io.muster.core.GroupRecord;
import io.muster.core.StreamsGroupRecord.CurrentSet;
import io.muster.core.StreamsGroupRecord.GroupSet;
import io.muster.core.StreamsGroupRecord.MemberRemoved;
import io.muster.core.StreamsGroupRecord.MemberSet;
import io.muster.core.StreamsGroupRecord.TargetSet;
import io.muster.core.StreamsGroupRecord.TaskOffsetsSet;
import io.muster.core.StreamsGroupRecord.TopologyDescriptionSet;
import io.muster.core.StreamsGroupRecord.TopologyForgotten;
import io.muster.core.StreamsGroupRecord.TopologySet;
import io.muster.core.TypedGroup;

/** Applies the facts about Streams groups. */
final class StreamsGroupEvolver {
    private StreamsGroupEvolver() {}

    static TypedGroup evolve(TypedGroup before, GroupRecord record) {
        StreamsGroup group = before instanceof StreamsGroup streams ? streams : StreamsGroup.NEW;
        StreamsMembers members = group.members();
        if (record instanceof GroupSet set) {
            return group.withStatus(set);
        } else if (record instanceof TopologySet set) {
            return group.withTopologies(group.topologies().with(set.topology()));
        } else if (record instanceof TopologyForgotten forgotten) {
            return group.withTopologies(group.topologies().without(forgotten.topologyEpoch()));
        } else if (record instanceof TopologyDescriptionSet set) {
            return group.withTopologies(group.topologies().with(set));
        } else if (record instanceof MemberSet set) {
            return group.withMembers(members.with(set));
        } else if (record instanceof TaskOffsetsSet set) {
            return group.withMembers(members.with(set));
        } else if (record instanceof CurrentSet set) {
            return group.withMembers(members.with(set));
        } else if (record instanceof TargetSet set) {
            return group.withMembers(members.withTarget(set.memberId(), set.tasks()));
        } else if (record instanceof MemberRemoved removed) {
            return group.withMembers(members.without(removed.memberId()));
        }
        throw new IllegalStateException("not a record of a Streams group: " + record);
    }
}
