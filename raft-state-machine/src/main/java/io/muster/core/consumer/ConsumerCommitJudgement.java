package io.muster.core.consumer;

import io.muster.core.CommitCommand.Admit;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.Group;
import io.muster.core.GroupError;
import io.muster.core.TopicInfo;
import io.muster.core.group.CommitJudgement;
import java.util.Optional;
import java.util.OptionalInt;

/** Whether members of a consumer group may commit offsets, as Kafka judges it. */
final class ConsumerCommitJudgement {
    private ConsumerCommitJudgement() {}

    static Optional<GroupError> judge(Group whole, Admit commit) {
        return CommitJudgement.judge(whole.typed(), commit, () -> isCurrent(whole, commit));
    }

    private static boolean isCurrent(Group whole, Admit commit) {
        ConsumerGroup group = ConsumerGroup.of(whole);
        ConsumerMember member = group.members().find(commit.memberId()).orElseThrow();
        return commit.memberEpoch() == member.epoch()
                ? mayCommitNow(whole, group, member, commit)
                : isLateButFine(whole, member, commit);
    }

    /**
     * Unlike Kafka: a member that is on its way to the target assignment may have given partitions up under the epoch that it has
     * still. A commit of these that comes late, by a connection that the member has left, would overwrite the next owner's. What no
     * member reads has no next owner.
     */
    private static boolean mayCommitNow(Group whole, ConsumerGroup group, ConsumerMember member, Admit commit) {
        return member.epoch() == group.assignmentEpoch()
                || commit.partitions().stream()
                        .allMatch(partition -> holds(whole, member, partition)
                                || !group.members().subscribedTopics().contains(partition.topic()));
    }

    private static boolean holds(Group whole, ConsumerMember member, TopicPartition partition) {
        TopicInfo topic = whole.topicBasis().get(partition.topic());
        return topic != null
                && (member.current().assigned().contains(topic.id(), partition.partition())
                        || member.current().pendingRevocation().contains(topic.id(), partition.partition()));
    }

    /** An earlier epoch is fine for partitions that the member has had since then (KIP-1251). */
    private static boolean isLateButFine(Group whole, ConsumerMember member, Admit commit) {
        return commit.memberEpoch() < member.epoch()
                && commit.partitions().stream().allMatch(partition -> hadIt(whole, member, partition, commit));
    }

    private static boolean hadIt(Group whole, ConsumerMember member, TopicPartition partition, Admit commit) {
        TopicInfo topic = whole.topicBasis().get(partition.topic());
        if (topic == null) {
            return false;
        }
        OptionalInt since = member.current().heldSince(topic.id(), partition.partition());
        return since.isPresent() && commit.memberEpoch() >= since.getAsInt();
    }
}
