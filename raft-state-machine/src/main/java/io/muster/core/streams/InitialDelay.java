package io.muster.core.streams;

import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.LeaderMemory;
import io.muster.core.TimerKey;

/** The time that a group which was empty waits for more members before its first target. */
final class InitialDelay {
    private static final TimerKey TIMER = new TimerKey(TimerKey.Kind.INITIAL_DELAY, "");

    private InitialDelay() {}

    /** Starts the delay if one is configured and none runs; called for the first member of a group. */
    static void start(GroupDraft draft) {
        int delay = draft.config(GroupConfigs.STREAMS_INITIAL_REBALANCE_DELAY);
        if (delay > 0 && !runs(draft)) {
            remember(draft, draft.context().nowMillis() + delay);
            draft.arm(TIMER, delay, StreamsGroup.of(draft).groupEpoch());
        }
    }

    static boolean runs(GroupDraft draft) {
        return draft.memory().streams().delayEndsAtMillis() > draft.context().nowMillis();
    }

    static void stop(GroupDraft draft) {
        if (draft.memory().streams().delayEndsAtMillis() != LeaderMemory.NEVER) {
            remember(draft, LeaderMemory.NEVER);
            draft.cancel(TIMER);
        }
    }

    private static void remember(GroupDraft draft, long endsAtMillis) {
        draft.remember(draft.memory().withStreams(draft.memory().streams().withDelayEndsAtMillis(endsAtMillis)));
    }
}
