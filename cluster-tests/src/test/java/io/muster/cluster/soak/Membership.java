package io.muster.cluster.soak;

import java.time.Duration;
import org.apache.kafka.common.protocol.Errors;

/** What a raw member knows of its place in the group, and whether it may be told that it has none. */
final class Membership {
    private static final Duration SAFE = RoamingGroup.SESSION.dividedBy(2);

    private final String memberId;
    private final Violations violations;
    private int epoch;
    private long goodNanos = System.nanoTime();
    private int unheard;
    private boolean goesOn = true;

    Membership(String memberId, Violations violations) {
        this.memberId = memberId;
        this.violations = violations;
    }

    /** The member epoch, 0 before the first answer. */
    int epoch() {
        return epoch;
    }

    /** Whether it is a member still, or not yet. */
    boolean goesOn() {
        return goesOn;
    }

    /** A heartbeat was not answered, or with an error that passes. */
    void heardNothing() {
        unheard++;
    }

    /** What a heartbeat was answered. */
    void told(Errors error, int newEpoch) {
        switch (error) {
            case NONE -> {
                if (newEpoch < epoch) {
                    violations.add("the epoch of %s fell from %d to %d".formatted(memberId, epoch, newEpoch));
                }
                epoch = newEpoch;
                goodNanos = System.nanoTime();
                unheard = 0;
            }
            case UNKNOWN_MEMBER_ID, FENCED_MEMBER_EPOCH -> fenced(error);
            default -> {
                violations.add("a heartbeat of %s was answered %s".formatted(memberId, error));
                goesOn = false;
            }
        }
    }

    /** A member whose heartbeats are heard is not removed; one that missed two answers may have missed two epochs. */
    private void fenced(Errors error) {
        Duration silent = Duration.ofNanos(System.nanoTime() - goodNanos);
        boolean mayBe = error == Errors.FENCED_MEMBER_EPOCH && unheard > 1;
        if (epoch > 0 && silent.compareTo(SAFE) < 0 && !mayBe) {
            violations.add("%s was told %s at epoch %d, %d ms after its last heartbeat, with %d unanswered"
                    .formatted(memberId, error, epoch, silent.toMillis(), unheard));
        }
        goesOn = false;
    }
}
