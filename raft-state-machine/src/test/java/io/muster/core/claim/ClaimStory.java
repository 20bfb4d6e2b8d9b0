package io.muster.core.claim;

import io.muster.core.Arrival;
import io.muster.core.Claim;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.CommonRecord;
import io.muster.core.CoordinatorConfig;
import io.muster.core.Decision;
import io.muster.core.DecisionContext;
import io.muster.core.Effect;
import io.muster.core.FeatureLevel;
import io.muster.core.Group;
import io.muster.core.GroupDraft;
import io.muster.core.GroupRecord;
import io.muster.core.InternalCommand;
import io.muster.core.LeaderMemory;
import io.muster.core.NoGroup;
import io.muster.core.ShardTime;
import io.muster.core.TimerKey;
import io.muster.core.TopicCatalogue;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** One group as one leader decides on it, step by step; what a step decided can be looked at after it. */
final class ClaimStory {
    static final TopicPartition P0 = new TopicPartition("t", 0);
    static final int SESSION_MILLIS = 1_800_000;

    private final ClaimLogic claims = new ClaimLogic();
    private Group group = Group.absent("g");
    private ShardTime time = ShardTime.NONE;
    private LeaderMemory memory = LeaderMemory.UNKNOWN;
    private Decision last = step(draft -> {});
    private long nowMillis = 1_000;
    private boolean openedUp;

    Group group() {
        return group;
    }

    LeaderMemory memory() {
        return memory;
    }

    Claim claim() {
        return group.claim();
    }

    Decision last() {
        return last;
    }

    List<ClaimOperation> asked() {
        return last.effects().stream()
                .map(effect -> ((Effect.ClaimUpstream) effect).operation())
                .toList();
    }

    void members(String... memberIds) {
        group = group.withTyped(Seats.of(memberIds));
    }

    void resume(Group other, LeaderMemory otherMemory) {
        group = other;
        memory = otherMemory;
    }

    /** From now on decisions are made at this logical time. */
    void time(ShardTime next) {
        time = next;
    }

    /** A new leader: what the log keeps stays, the rest is forgotten. */
    void newLeader() {
        forget();
        accept(new InternalCommand.Loaded("g"));
    }

    /** What the log keeps stays, the rest is forgotten; the group is not seen to yet. */
    void forget() {
        memory = LeaderMemory.UNKNOWN.withConnections(LeaderMemory.CommitConnections.completeSince(nowMillis));
    }

    Decision step(Consumer<GroupDraft> decide) {
        nowMillis++;
        DecisionContext context = new DecisionContext(
                nowMillis,
                nowMillis,
                LeaderMemory.NEVER,
                TopicCatalogue.EMPTY,
                CoordinatorConfig.defaults("blue"),
                memory,
                FeatureLevel.SUPPORTED,
                time);
        GroupDraft draft = new GroupDraft(group, context, ClaimStory::evolve);
        decide.accept(draft);
        claims.conclude(draft);
        last = draft.decision(List.of());
        group = last.after();
        memory = last.memory();
        return last;
    }

    Decision accept(Command command) {
        return step(draft -> openedUp = claims.accept(draft, 0, arrival(command, true)));
    }

    Decision acceptImpatiently(Command command) {
        return step(draft -> openedUp = claims.accept(draft, 0, arrival(command, false)));
    }

    Decision report(ClaimOperation operation, ClaimOutcome outcome) {
        return accept(new InternalCommand.ClaimReported("g", operation, outcome));
    }

    /** Reports on the operation that is under way. */
    Decision report(ClaimOutcome outcome) {
        return report(memory.claim().operation().orElseThrow(), outcome);
    }

    Decision fires(TimerKey.Kind kind) {
        return accept(new InternalCommand.TimerFired("g", new TimerKey(kind, ""), 0));
    }

    /** These timers fire in one decision, in this order. */
    Decision firesTogether(TimerKey.Kind... kinds) {
        return step(draft -> {
            for (TimerKey.Kind kind : kinds) {
                Command fired = new InternalCommand.TimerFired("g", new TimerKey(kind, ""), 0);
                openedUp = claims.accept(draft, 0, arrival(fired, true));
            }
        });
    }

    /** Whether the last command found that others may have had the group, so that no member may keep anything. */
    boolean openedUp() {
        return openedUp;
    }

    void pass(long millis) {
        nowMillis += millis;
    }

    boolean join(boolean mayWait) {
        AtomicBoolean admitted = new AtomicBoolean();
        Command any = new InternalCommand.Loaded("g");
        step(draft -> admitted.set(claims.admitsJoin(draft, 0, arrival(any, mayWait))));
        return admitted.get();
    }

    /** A join that arrived {@code agoMillis} before now. */
    boolean joinFrom(long agoMillis) {
        AtomicBoolean admitted = new AtomicBoolean();
        Arrival arrival = new Arrival(new InternalCommand.Loaded("g"), nowMillis - agoMillis, "fresh", true);
        step(draft -> admitted.set(claims.admitsJoin(draft, 0, arrival)));
        return admitted.get();
    }

    boolean mayHandOver(TopicPartition partition, String newOwner) {
        AtomicBoolean may = new AtomicBoolean();
        step(draft -> may.set(claims.mayHandOver(draft, partition, newOwner)));
        return may.get();
    }

    boolean mayKeep() {
        AtomicBoolean may = new AtomicBoolean();
        step(draft -> may.set(claims.mayKeep(draft)));
        return may.get();
    }

    boolean admitsDelete(String admissionId, boolean mayWait) {
        AtomicBoolean may = new AtomicBoolean();
        Arrival arrival = arrival(new CommitCommand.AdmitDelete("g", admissionId, Set.of("t")), mayWait);
        step(draft -> may.set(claims.admitsDelete(draft, 0, arrival)));
        return may.get();
    }

    String described() {
        return claims.describe(group, memory);
    }

    /** Takes the claim as this identity; the group has these members afterwards. */
    ClaimStory heldAs(ClaimIdentity identity, String... memberIds) {
        join(true);
        report(new ClaimOutcome.Joined(identity, SESSION_MILLIS));
        members(memberIds);
        step(draft -> {});
        return this;
    }

    static CommitCommand.Admit commit(String admissionId, String memberId, TopicPartition... partitions) {
        return new CommitCommand.Admit(
                "g",
                admissionId,
                CommitCommand.Connection.justOpened(memberId),
                new CommitCommand.Committer(memberId, "", 1),
                CommitCommand.Kind.PLAIN,
                9,
                Set.of(partitions));
    }

    /** A commit that comes by another connection than {@link #commit} of the same member. */
    static CommitCommand.Admit commitElsewhere(String admissionId, String memberId, TopicPartition... partitions) {
        return new CommitCommand.Admit(
                "g",
                admissionId,
                CommitCommand.Connection.justOpened("elsewhere"),
                new CommitCommand.Committer(memberId, "", 1),
                CommitCommand.Kind.PLAIN,
                9,
                Set.of(partitions));
    }

    private Arrival arrival(Command command, boolean mayWait) {
        return new Arrival(command, nowMillis, "fresh", mayWait);
    }

    private static Group evolve(Group group, GroupRecord record) {
        if (record instanceof CommonRecord.ClaimSet set) {
            return group.withClaim(set.claim());
        }
        if (record instanceof CommonRecord.GroupDeleted) {
            return group.withTyped(new NoGroup()).withClaim(new Claim.None());
        }
        if (record instanceof CommonRecord.CommitConnectionSet set) {
            return group.withCommitConnections(group.commitConnections().with(set.memberId(), set.connection()));
        }
        if (record instanceof CommonRecord.HistoryAppended) {
            return group;
        }
        throw new IllegalStateException("the claim does not emit " + record);
    }
}
