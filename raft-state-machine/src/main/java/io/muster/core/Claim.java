package io.muster.core;

/** The durable part of a group's claim on the upstream cluster. */
public sealed interface Claim {
    /** Not claimed. */
    record None() implements Claim {}

    /**
     * Held with this identity.
     *
     * @param sessionTimeoutMillis session timeout that upstream took, milliseconds
     */
    record Held(ClaimIdentity identity, int sessionTimeoutMillis) implements Claim {}

    /** Was held, and upstream does not know us any more: hand-outs stop until it is held again. */
    record Lost(String detail) implements Claim {}
}
