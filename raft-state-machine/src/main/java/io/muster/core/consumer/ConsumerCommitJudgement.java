package io.muster.core.consumer;

import io.muster.core.CommitCommand.Admit;
import io.muster.core.CommitCommand.AdmitFetch;
import io.muster.core.CommitCommand.Kind;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.Group;
import io.muster.core.GroupError;
import io.muster.core.TopicInfo;
import java.util.Optional;
import java.util.OptionalInt;

/** Whether members may commit and fetch offsets, as Kafka judges it. */
final class ConsumerCommitJudgement {
    /** The first OffsetCommit version that knows member epochs. */
    private static final int MEMBER_EPOCH_VERSION = 9;

    /** The first TxnOffsetCommit version that knows stale member epochs. */
    private static final int TRANSACTIONAL_STALE_VERSION = 6;

    private ConsumerCommitJudgement() {}

    static Optional<GroupError> judge(Group whole, Admit commit) {
        ConsumerGroup group = ConsumerGroup.of(whole);
        if (commit.memberEpoch() < 0 && group.isEmpty()) {
            return Optional.empty();
        }
        if (commit.kind() == Kind.TRANSACTIONAL && isWithoutMember(commit)) {
            return Optional.empty();
        }
        Optional<ConsumerMember> member = group.members().find(commit.memberId());
        if (member.isEmpty()) {
            return Optional.of(GroupError.UNKNOWN_MEMBER_ID);
        }
        if (commit.kind() == Kind.PLAIN && commit.apiVersion() < MEMBER_EPOCH_VERSION) {
            return Optional.of(GroupError.UNSUPPORTED_VERSION);
        }
        boolean valid = commit.memberEpoch() == member.get().epoch()
                ? mayCommitNow(whole, group, member.get(), commit)
                : isLateButFine(whole, member.get(), commit);
        return valid ? Optional.empty() : Optional.of(stale(commit));
    }

    static Optional<GroupError> judge(Group whole, AdmitFetch fetch) {
        if (fetch.memberId().isEmpty() && fetch.memberEpoch() < 0) {
            return Optional.empty();
        }
        Optional<ConsumerMember> member = ConsumerGroup.of(whole).members().find(fetch.memberId());
        if (member.isEmpty()) {
            return Optional.of(GroupError.UNKNOWN_MEMBER_ID);
        }
        return member.get().epoch() == fetch.memberEpoch()
                ? Optional.empty()
                : Optional.of(GroupError.STALE_MEMBER_EPOCH);
    }

    private static boolean isWithoutMember(Admit commit) {
        return commit.memberEpoch() == -1
                && commit.memberId().isEmpty()
                && commit.instanceId().isEmpty();
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

    private static GroupError stale(Admit commit) {
        return commit.kind() == Kind.TRANSACTIONAL && commit.apiVersion() < TRANSACTIONAL_STALE_VERSION
                ? GroupError.ILLEGAL_GENERATION
                : GroupError.STALE_MEMBER_EPOCH;
    }
}
