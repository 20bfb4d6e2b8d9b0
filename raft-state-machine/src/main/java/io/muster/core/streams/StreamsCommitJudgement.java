package io.muster.core.streams;

import io.muster.core.CommitCommand.Admit;
import io.muster.core.CommitCommand.AdmitFetch;
import io.muster.core.CommitCommand.Kind;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.GroupError;
import io.muster.core.TaskAssignment;
import io.muster.core.Topology;
import java.util.Optional;

/** Whether members may commit and fetch offsets, as Kafka judges it. */
final class StreamsCommitJudgement {
    /** The first OffsetCommit version that knows member epochs. */
    private static final int MEMBER_EPOCH_VERSION = 9;

    /** The first TxnOffsetCommit version that knows stale member epochs. */
    private static final int TRANSACTIONAL_STALE_VERSION = 6;

    private StreamsCommitJudgement() {}

    static Optional<GroupError> judge(StreamsGroup group, Admit commit) {
        if (commit.memberEpoch() < 0 && group.isEmpty()) {
            return Optional.empty();
        }
        if (commit.kind() == Kind.TRANSACTIONAL && isWithoutMember(commit)) {
            return Optional.empty();
        }
        Optional<StreamsMember> member = group.members().find(commit.memberId());
        if (member.isEmpty()) {
            return Optional.of(GroupError.UNKNOWN_MEMBER_ID);
        }
        if (commit.kind() == Kind.PLAIN && commit.apiVersion() < MEMBER_EPOCH_VERSION) {
            return Optional.of(GroupError.UNSUPPORTED_VERSION);
        }
        boolean valid = commit.memberEpoch() == member.get().epoch()
                ? mayCommitNow(group, member.get(), commit)
                : isLateButFine(group, member.get(), commit);
        return valid ? Optional.empty() : Optional.of(stale(commit));
    }

    static Optional<GroupError> judge(StreamsGroup group, AdmitFetch fetch) {
        if (fetch.memberId().isEmpty() && fetch.memberEpoch() < 0) {
            return Optional.empty();
        }
        Optional<StreamsMember> member = group.members().find(fetch.memberId());
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
     * Unlike Kafka: a member that is on its way to the target assignment may have given tasks up under the epoch that it has still. A
     * commit of these that comes late, by a connection that the member has left, would overwrite the next owner's. What no task
     * reads has no next owner.
     */
    private static boolean mayCommitNow(StreamsGroup group, StreamsMember member, Admit commit) {
        Topology topology = group.topologyOf(member);
        return member.epoch() == group.assignmentEpoch()
                || commit.partitions().stream()
                        .allMatch(partition -> holds(topology, member.held(), partition)
                                || topology.subtopologies().stream()
                                        .noneMatch(subtopology ->
                                                subtopology.allSources().contains(partition.topic())));
    }

    /** The epoch before is fine for partitions that the member holds still (KIP-1251). */
    private static boolean isLateButFine(StreamsGroup group, StreamsMember member, Admit commit) {
        int previous = member.current().previousMemberEpoch();
        return previous > 0 && commit.memberEpoch() == previous && holdsAll(group, member, commit);
    }

    private static boolean holdsAll(StreamsGroup group, StreamsMember member, Admit commit) {
        return commit.partitions().stream()
                .allMatch(partition -> holds(group.topologyOf(member), member.held(), partition));
    }

    private static boolean holds(Topology topology, TaskAssignment held, TopicPartition partition) {
        return topology.subtopologies().stream()
                .filter(subtopology -> subtopology.allSources().contains(partition.topic()))
                .anyMatch(subtopology -> held.active().contains(subtopology.id(), partition.partition()));
    }

    private static GroupError stale(Admit commit) {
        return commit.kind() == Kind.TRANSACTIONAL && commit.apiVersion() < TRANSACTIONAL_STALE_VERSION
                ? GroupError.ILLEGAL_GENERATION
                : GroupError.STALE_MEMBER_EPOCH;
    }
}
