package io.muster.runtime;

import io.muster.core.TimerChange;
import java.util.List;
import java.util.function.Predicate;

/**
 * The timers of a shard's groups against the leader's own clock. A gap between two looks at the clock was not work: the machine or
 * the process stood still, and every timer gets its full delay again. Confined to the shard's thread.
 */
final class GroupTimers {
    private static final long STANDSTILL_MILLIS = 2_000;
    private static final long TICK_MILLIS = 500;

    private final ShardTimers timers = new ShardTimers();
    private final Clock clock;
    private final TimerService service;
    private long lastLookMillis;
    private long wakeUpMillis = Long.MAX_VALUE;

    GroupTimers(Clock clock, TimerService service) {
        this.clock = clock;
        this.service = service;
        this.lastLookMillis = clock.monotonicMillis();
    }

    /** Forgets all timers; the clock is watched from now on. */
    void reset() {
        timers.clear();
        lastLookMillis = clock.monotonicMillis();
    }

    /** Takes out what is due; those for which {@code held} answers true stay and are due again next time. */
    List<ShardTimers.Due> takeDue(Predicate<TimerId> held) {
        long now = clock.monotonicMillis();
        if (now - lastLookMillis > TICK_MILLIS + STANDSTILL_MILLIS) {
            timers.restartAll(now);
        }
        lastLookMillis = now;
        return timers.takeDue(now, held);
    }

    void apply(String groupId, List<TimerChange> changes) {
        long now = clock.monotonicMillis();
        for (TimerChange change : changes) {
            TimerId id = new TimerId(groupId, change.key());
            if (change instanceof TimerChange.Arm arm) {
                timers.arm(id, now, arm.delayMillis(), arm.epoch());
            } else {
                timers.cancel(id);
            }
        }
    }

    /** Keeps an eye on the patience of the group's waiting commands. */
    void followPatience(GroupMailbox mailbox) {
        TimerId patience = TimerId.patience(mailbox.groupId());
        timers.cancel(patience);
        if (mailbox.hasWaiting()) {
            long now = clock.monotonicMillis();
            timers.arm(patience, now, Math.max(0, mailbox.firstPatienceEnd() - now), 0);
        }
    }

    void cancelAll(String groupId) {
        timers.cancelAll(groupId);
    }

    /** Has {@code look} run when the next timer is due, and at least twice a second so that a standstill is seen. */
    void scheduleLook(Runnable look) {
        long now = clock.monotonicMillis();
        long wanted = Math.min(Math.max(timers.nextMillis(), now + 1), now + TICK_MILLIS);
        if (wakeUpMillis > now && wakeUpMillis <= wanted) {
            return;
        }
        wakeUpMillis = wanted;
        service.schedule(
                () -> {
                    if (wakeUpMillis == wanted) {
                        wakeUpMillis = Long.MAX_VALUE;
                    }
                    look.run();
                },
                wanted - now);
    }
}
