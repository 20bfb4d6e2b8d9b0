package io.muster.simulation;

import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.simulation.BrokersGroup.Offset;
import io.muster.simulation.BrokersGroup.State;
import io.muster.simulation.BrokersGroup.Stored;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * The brokers' group coordinator with the rules that Muster's claim relies on, as measured on 4.4.0 and 3.9.2: a static member is
 * replaced at once in a stable group, and the old id is refused from then on; the first join of an empty group waits; commits need
 * the member's id and generation; what lives there keeps ours out. It is away at times, restarts, and carries out what was given
 * up.
 */
final class UpstreamCoordinator {
    private static final int GIVEN_UP_MILLIS = 3_000;

    private final VirtualTime time;
    private final OffsetChecks checks;
    private final long initialDelayMillis;
    private final Map<String, BrokersGroup> groups = new TreeMap<>();
    private final Set<String> endedTransactions = new HashSet<>();
    private long awayUntil;
    private int lastMember;
    private long lastOrder;
    private long lastStored;

    UpstreamCoordinator(VirtualTime time, OffsetChecks checks) {
        this.time = time;
        this.checks = checks;
        this.initialDelayMillis = time.pick(3) == 0 ? 3_000 : 0;
        time.after(3_000 + time.pick(10_000), this::disturb);
    }

    /** Numbers a commit when its client makes it. */
    long nextOrder() {
        return ++lastOrder;
    }

    private BrokersGroup group(String groupId) {
        BrokersGroup group = groups.computeIfAbsent(groupId, BrokersGroup::new);
        if (group.isExpired(time.now())) {
            group.empty();
        }
        return group;
    }

    private boolean isAway() {
        return !time.isCalm() && time.now() < awayUntil;
    }

    // ---- claim operations

    /** Starts an operation; reports as the product's gateways do. */
    void start(String groupId, ClaimOperation operation, Consumer<ClaimOutcome> report) {
        time.trace("%s is asked to %s", groupId, operation);
        Once once = new Once(time, report);
        if (isAway()) {
            once.end(500, new ClaimOutcome.Unavailable("upstream is away"));
            return;
        }
        if (time.chance(4)) {
            once.end(50, new ClaimOutcome.Unavailable("not reached"));
            return;
        }
        long delay = time.chance(6) ? time.pick(30_000) : 1 + time.pick(20);
        if (delay > GIVEN_UP_MILLIS) {
            once.end(GIVEN_UP_MILLIS, new ClaimOutcome.Unavailable("given up"));
        }
        boolean answerLost = time.chance(4);
        time.after(delay, () -> execute(group(groupId), operation, answerLost ? new Once(time, end -> {}) : once));
        if (answerLost) {
            once.end(GIVEN_UP_MILLIS, new ClaimOutcome.Unavailable("no answer"));
        }
    }

    private void execute(BrokersGroup group, ClaimOperation operation, Once report) {
        time.trace("upstream %s (%s) does %s", group.id(), group.state(), operation);
        if (operation instanceof ClaimOperation.Join join) {
            int timeout = join.sessionTimeoutMillis();
            enter(group, timeout, report, (identity, inPlace) -> new ClaimOutcome.Joined(identity, timeout, inPlace));
        } else if (operation instanceof ClaimOperation.Fence fence) {
            enter(group, fence.sessionTimeoutMillis(), report, ClaimOutcome.Fenced::new);
        } else if (operation instanceof ClaimOperation.Heartbeat heartbeat) {
            report.end(answerDelay(), beat(group, heartbeat.identity()));
        } else if (operation instanceof ClaimOperation.Leave leave) {
            report.end(answerDelay(), leave(group, leave.identity()));
        } else {
            boolean absent = group.state() == State.EMPTY && group.offsets().isEmpty();
            report.end(answerDelay(), absent ? new ClaimOutcome.Absent() : new ClaimOutcome.Present());
        }
    }

    private long answerDelay() {
        return 1L + time.pick(15);
    }

    /** JoinGroup with the instance id and an empty member id. */
    private void enter(
            BrokersGroup group,
            int timeoutMillis,
            Once report,
            BiFunction<ClaimIdentity, Boolean, ClaimOutcome> success) {
        switch (group.state()) {
            case OTHERS ->
                report.end(
                        answerDelay(),
                        new ClaimOutcome.OwnedElsewhere(ClaimOutcome.Occupants.CONSUMERS, "other members live in it"));
            case STABLE -> {
                ClaimIdentity identity = group.rename(nextMember());
                group.alive(time.now());
                report.end(answerDelay(), success.apply(identity, true));
            }
            case JOINING, COMPLETING, EMPTY -> enterAfterDelay(group, timeoutMillis, report, success);
        }
    }

    private String nextMember() {
        return "claim-" + ++lastMember;
    }

    private void enterAfterDelay(
            BrokersGroup group,
            int timeoutMillis,
            Once report,
            BiFunction<ClaimIdentity, Boolean, ClaimOutcome> success) {
        String memberId = nextMember();
        group.listed(memberId);
        time.after(1 + time.pick(10), () -> report.meanwhile(new ClaimOutcome.Locked()));
        time.after(initialDelayMillis + 1L, () -> {
            boolean ours = group.state() == State.JOINING
                    && group.member().map(ClaimIdentity::memberId).equals(Optional.of(memberId));
            if (!ours) {
                report.end(1, new ClaimOutcome.Unavailable("the join was dropped"));
                return;
            }
            ClaimIdentity identity = group.complete();
            time.after(2 + time.pick(20), () -> {
                if (group.state() == State.COMPLETING && group.member().equals(Optional.of(identity))) {
                    group.stable(timeoutMillis, time.now());
                    report.end(answerDelay(), success.apply(identity, false));
                } else {
                    report.end(1, new ClaimOutcome.Unavailable("the join was dropped"));
                }
            });
        });
    }

    private ClaimOutcome beat(BrokersGroup group, ClaimIdentity identity) {
        if (!group.isStableAs(identity)) {
            boolean gone = group.member().isEmpty();
            return new ClaimOutcome.Lost("upstream does not know our member any more", gone);
        }
        group.alive(time.now());
        return new ClaimOutcome.HeartbeatOk();
    }

    private static ClaimOutcome leave(BrokersGroup group, ClaimIdentity identity) {
        Optional<ClaimIdentity> member = group.member();
        if (member.isEmpty()) {
            return new ClaimOutcome.Left();
        }
        if (!member.get().memberId().equals(identity.memberId())) {
            return new ClaimOutcome.Lost("the instance id is another member's");
        }
        group.empty();
        return new ClaimOutcome.Left();
    }

    // ---- offsets

    /** What a broker says to a commit. */
    enum CommitEnd {
        STORED,
        /** The claim's identity is not the group's. */
        CLAIM_REFUSED,
        /** The transaction is over already. */
        PRODUCER_FENCED
    }

    /** Commits offsets, each with who wrote it and in which order; no answer while the coordinator is away. */
    void commit(
            String groupId, ClaimIdentity identity, Map<TopicPartition, Offset> offsets, Consumer<CommitEnd> answer) {
        if (isAway()) {
            if (time.chance(50)) {
                time.after(
                        awayUntil - time.now() + time.pick(2_000), () -> commit(groupId, identity, offsets, end -> {}));
            }
            return;
        }
        BrokersGroup group = group(groupId);
        time.trace("upstream %s (%s as %s) gets %s as %s", groupId, group.state(), group.member(), offsets, identity);
        if (!group.isStableAs(identity)) {
            answer.accept(CommitEnd.CLAIM_REFUSED);
            return;
        }
        group.alive(time.now());
        checks.accepted(groupId, offsets);
        offsets.forEach((partition, offset) -> store(group, partition, offset));
        answer.accept(CommitEnd.STORED);
    }

    private void store(BrokersGroup group, TopicPartition partition, Offset offset) {
        checks.stored(group.id(), partition, group.offsets().get(partition), offset);
        group.offsets().put(partition, new Stored(offset, ++lastStored));
    }

    /** Adds offsets to a producer's transaction; they count when it ends. */
    void commitInTransaction(
            String groupId,
            ClaimIdentity identity,
            String producer,
            Map<TopicPartition, Offset> offsets,
            Consumer<CommitEnd> answer) {
        if (isAway()) {
            return;
        }
        if (endedTransactions.contains(producer)) {
            answer.accept(CommitEnd.PRODUCER_FENCED);
            return;
        }
        BrokersGroup group = group(groupId);
        boolean taken = group.isStableAs(identity);
        if (taken) {
            group.pending().computeIfAbsent(producer, key -> new TreeMap<>()).putAll(offsets);
            checks.accepted(groupId, offsets);
        }
        answer.accept(taken ? CommitEnd.STORED : CommitEnd.CLAIM_REFUSED);
    }

    /** Ends a producer's transaction. */
    void endTransaction(String groupId, String producer, boolean commit) {
        endedTransactions.add(producer);
        BrokersGroup group = group(groupId);
        Map<TopicPartition, Offset> offsets = group.pending().remove(producer);
        if (commit && offsets != null) {
            offsets.forEach((partition, offset) -> store(group, partition, offset));
        }
    }

    /**
     * Committed offsets, 0 where there is none.
     *
     * @param at when they were read
     */
    record Fetched(Map<TopicPartition, Long> offsets, long at) {}

    /** Fetches stable offsets: not while a transaction that changes them is open. */
    void fetch(String groupId, Set<TopicPartition> partitions, Consumer<Fetched> answer) {
        BrokersGroup group = group(groupId);
        boolean unstable = group.pending().values().stream()
                .anyMatch(open -> open.keySet().stream().anyMatch(partitions::contains));
        if (isAway() || unstable) {
            time.after(200, () -> fetch(groupId, partitions, answer));
            return;
        }
        Map<TopicPartition, Long> found = new TreeMap<>();
        partitions.forEach(partition -> found.put(
                partition,
                Optional.ofNullable(group.offsets().get(partition))
                        .map(stored -> stored.offset().value())
                        .orElse(0L)));
        answer.accept(new Fetched(found, lastStored));
    }

    // ---- what others do to it

    private void disturb() {
        if (!time.isCalm()) {
            int what = time.pick(100);
            if (what < 25) {
                awayUntil = time.now() + time.pick(8_000);
            } else if (what < 45) {
                restart();
            } else if (what < 70) {
                groups.values().forEach(this::removeByAdmin);
            }
            groups.values().forEach(this::maybeOthersCome);
            time.after(2_000 + time.pick(12_000), this::disturb);
        }
    }

    /** A broker that restarts knows what was synced. */
    private void restart() {
        groups.values().stream()
                .filter(group -> group.state() == State.JOINING || group.state() == State.COMPLETING)
                .forEach(BrokersGroup::empty);
    }

    private void removeByAdmin(BrokersGroup group) {
        if (group.state() == State.STABLE && time.chance(50)) {
            time.trace("an admin removes our member from %s", group.id());
            group.empty();
        }
    }

    private void maybeOthersCome(BrokersGroup group) {
        if (group(group.id()).state() == State.EMPTY && group.pending().isEmpty() && time.chance(60)) {
            group.others();
            time.trace("others come to %s", group.id());
            checks.othersCame(group.id());
            time.after(1_000 + time.pick(6_000), () -> othersGo(group));
        }
    }

    /** They processed something meanwhile. */
    private void othersGo(BrokersGroup group) {
        if (group.state() == State.OTHERS) {
            time.trace("others go from %s", group.id());
            group.offsets().replaceAll((partition, stored) -> {
                long value = stored.offset().value() + 1 + time.pick(50);
                return new Stored(new Offset(value, "others", nextOrder(), lastStored, time.now()), ++lastStored);
            });
            group.empty();
        }
    }

    /** Reports an end once, and nothing after it. */
    private static final class Once {
        private final VirtualTime time;
        private final Consumer<ClaimOutcome> report;
        private final AtomicBoolean ended = new AtomicBoolean();

        Once(VirtualTime time, Consumer<ClaimOutcome> report) {
            this.time = time;
            this.report = report;
        }

        void meanwhile(ClaimOutcome outcome) {
            if (!ended.get()) {
                report.accept(outcome);
            }
        }

        void end(long delayMillis, ClaimOutcome outcome) {
            time.after(delayMillis, () -> {
                if (ended.compareAndSet(false, true)) {
                    time.trace("upstream says %s", outcome);
                    report.accept(outcome);
                }
            });
        }
    }
}
