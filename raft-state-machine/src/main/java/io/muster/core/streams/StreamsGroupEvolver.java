package io.muster.core.streams;

import io.muster.core.GroupRecord;
import io.muster.core.StreamsRecord.CurrentSet;
import io.muster.core.StreamsRecord.GroupSet;
import io.muster.core.StreamsRecord.MemberRemoved;
import io.muster.core.StreamsRecord.MemberSet;
import io.muster.core.StreamsRecord.TargetSet;
import io.muster.core.StreamsRecord.TaskOffsetsSet;
import io.muster.core.StreamsRecord.TopologyDescriptionSet;
import io.muster.core.StreamsRecord.TopologyForgotten;
import io.muster.core.StreamsRecord.TopologySet;
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
