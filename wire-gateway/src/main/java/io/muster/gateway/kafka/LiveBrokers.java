package io.muster.gateway.kafka;

import java.util.OptionalInt;
import java.util.function.IntPredicate;

/**
 * The brokers that are not known to be silent.
 *
 * @param isSilent whether a broker is known to answer nobody
 */
public record LiveBrokers(VirtualBrokers brokers, IntPredicate isSilent) {
    /** This broker, or another one if it is silent and not all are. */
    public int orAnother(int brokerId) {
        return isSilent.test(brokerId) ? otherThan(brokerId).orElse(brokerId) : brokerId;
    }

    /** One that is not this broker; empty if all others are silent. */
    public OptionalInt otherThan(int brokerId) {
        return brokers.ids().stream()
                .mapToInt(id -> id)
                .filter(id -> id != brokerId && !isSilent.test(id))
                .findFirst();
    }

    /** Whether the broker is known to answer nobody. */
    public boolean silent(int brokerId) {
        return isSilent.test(brokerId);
    }
}
