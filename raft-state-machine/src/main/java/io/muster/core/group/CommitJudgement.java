package io.muster.core.group;

import io.muster.core.CommitCommand.Admit;
import io.muster.core.CommitCommand.AdmitFetch;
import io.muster.core.CommitCommand.Kind;
import io.muster.core.GroupError;
import io.muster.core.TypedGroup;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Whether members may commit and fetch offsets, as Kafka judges it. */
public final class CommitJudgement {
    /** The first OffsetCommit version that knows member epochs. */
    private static final int MEMBER_EPOCH_VERSION = 9;

    /** The first TxnOffsetCommit version that knows stale member epochs. */
    private static final int TRANSACTIONAL_STALE_VERSION = 6;

    private CommitJudgement() {}

    /**
     * Why a commit may not be admitted; empty if it may.
     *
     * @param isCurrent whether the member, which is one of the group, may commit these partitions at the epoch that it says
     */
    public static Optional<GroupError> judge(TypedGroup group, Admit commit, BooleanSupplier isCurrent) {
        if (commit.memberEpoch() < 0 && group.isEmpty()) {
            return Optional.empty();
        }
        if (commit.kind() == Kind.TRANSACTIONAL && isWithoutMember(commit)) {
            return Optional.empty();
        }
        if (group.find(commit.memberId()).isEmpty()) {
            return Optional.of(GroupError.UNKNOWN_MEMBER_ID);
        }
        if (commit.kind() == Kind.PLAIN && commit.apiVersion() < MEMBER_EPOCH_VERSION) {
            return Optional.of(GroupError.UNSUPPORTED_VERSION);
        }
        return isCurrent.getAsBoolean() ? Optional.empty() : Optional.of(stale(commit));
    }

    /** Why a member may not fetch offsets; empty if it may. */
    public static Optional<GroupError> judge(TypedGroup group, AdmitFetch fetch) {
        if (fetch.memberId().isEmpty() && fetch.memberEpoch() < 0) {
            return Optional.empty();
        }
        return group.find(fetch.memberId())
                .map(member -> member.epoch() == fetch.memberEpoch()
                        ? Optional.<GroupError>empty()
                        : Optional.of(GroupError.STALE_MEMBER_EPOCH))
                .orElse(Optional.of(GroupError.UNKNOWN_MEMBER_ID));
    }

    private static boolean isWithoutMember(Admit commit) {
        return commit.memberEpoch() == -1
                && commit.memberId().isEmpty()
                && commit.committer().instanceId().isEmpty();
    }

    private static GroupError stale(Admit commit) {
        return commit.kind() == Kind.TRANSACTIONAL && commit.apiVersion() < TRANSACTIONAL_STALE_VERSION
                ? GroupError.ILLEGAL_GENERATION
                : GroupError.STALE_MEMBER_EPOCH;
    }
}
