package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.CurrentSet;
import io.muster.core.ConsumerGroupRecord.GroupSet;
import io.muster.core.ConsumerGroupRecord.MemberRemoved;
import io.muster.core.ConsumerGroupRecord.MemberSet;
import io.muster.core.ConsumerGroupRecord.PatternForgotten;
import io.muster.core.ConsumerGroupRecord.PatternResolved;
import io.muster.core.ConsumerGroupRecord.TargetSet;
import io.muster.core.GroupRecord;
import io.muster.core.TypedGroup;

/** Applies the facts about consumer groups. */
final class ConsumerGroupEvolver {
    private ConsumerGroupEvolver() {}

    static TypedGroup evolve(TypedGroup before, GroupRecord record) {
        ConsumerGroup group = before instanceof ConsumerGroup consumer ? consumer : ConsumerGroup.NEW;
        ConsumerMembers members = group.members();
        if (record instanceof GroupSet set) {
            return group.withStatus(set);
        } else if (record instanceof MemberSet set) {
            return group.withMembers(members.with(set));
        } else if (record instanceof CurrentSet set) {
            return group.withMembers(members.with(set));
        } else if (record instanceof PatternResolved resolved) {
            return group.withMembers(members.withPattern(resolved.pattern(), resolved.topics()));
        } else if (record instanceof PatternForgotten forgotten) {
            return group.withMembers(members.withoutPattern(forgotten.pattern()));
        } else if (record instanceof TargetSet set) {
            return group.withMembers(members.withTarget(set.memberId(), set.partitions()));
        } else if (record instanceof MemberRemoved removed) {
            return group.withMembers(members.without(removed.memberId()));
        }
        throw new IllegalStateException("not a record of a consumer group: " + record);
    }
}
