package io.muster.runtime;

import io.muster.core.TimerChange;
import java.util.List;
import java.util.function.Predicate;

/**
 * The timers of a shard's groups against the leader's own clock. When the machine or the process stood still, every timer gets its
 * full delay again: nobody could be heard meanwhile. Confined to the shard's thread.
 */
final class GroupTimers {
    private final ShardTimers timers = new ShardTimers();
    private final Clock clock;
    private final TimerService service;
    private final StandstillWatch watch;
    private int standstillsSeen;
    private long wakeUpMillis = Long.MAX_VALUE;

    /** @param look has the shard look at its timers; called on any thread */
    GroupTimers(Clock clock, TimerService service, Runnable look) {
        this.clock = clock;
        this.service = service;
        this.watch = new StandstillWatch(clock, service, look);
    }

    /** The clock is watched from now on. */
    void begin() {
        standstillsSeen = watch.standstills();
        watch.start();
    }

    /** Forgets all timers. */
    void end() {
        watch.stop();
        timers.clear();
    }

    /** Takes out what is due; those for which {@code held} answers true stay and are due again next time. */
    List<ShardTimers.Due> takeDue(Predicate<TimerId> held) {
        long now = clock.monotonicMillis();
        if (watch.isDoubtful(now)) {
            return List.of();
        }
        int standstills = watch.standstills();
        if (standstills != standstillsSeen) {
            standstillsSeen = standstills;
            timers.restartAll(now);
        }
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

    /** Has {@code look} run when the next timer is due. */
    void scheduleLook(Runnable look) {
        long now = clock.monotonicMillis();
        long soonest = watch.isDoubtful(now) ? now + StandstillWatch.TICK_MILLIS : now + 1;
        long wanted = Math.max(timers.nextMillis(), soonest);
        if (wanted == Long.MAX_VALUE) {
            return;
        }
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
