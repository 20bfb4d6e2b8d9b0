package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord;

/** Applies the facts about consumer groups. */
record ConsumerGroupEvolver(ConsumerGroup group) implements ConsumerGroupRecord.Handler<ConsumerGroup> {
    @Override
    public ConsumerGroup on(ConsumerGroupRecord.GroupSet set) {
        return group.withStatus(set);
    }

    @Override
    public ConsumerGroup on(ConsumerGroupRecord.MemberSet set) {
        return group.withMembers(group.members().with(set));
    }

    @Override
    public ConsumerGroup on(ConsumerGroupRecord.MemberRemoved removed) {
        return group.withMembers(group.members().without(removed.memberId()));
    }

    @Override
    public ConsumerGroup on(ConsumerGroupRecord.PatternResolved resolved) {
        return group.withMembers(group.members().withPattern(resolved.pattern(), resolved.topics()));
    }

    @Override
    public ConsumerGroup on(ConsumerGroupRecord.PatternForgotten forgotten) {
        return group.withMembers(group.members().withoutPattern(forgotten.pattern()));
    }

    @Override
    public ConsumerGroup on(ConsumerGroupRecord.TargetSet set) {
        return group.withMembers(group.members().withTarget(set.memberId(), set.partitions()));
    }

    @Override
    public ConsumerGroup on(ConsumerGroupRecord.CurrentSet set) {
        return group.withMembers(group.members().with(set));
    }
}
