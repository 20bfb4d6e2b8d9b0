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

    /**
     * Upstream does not know us any more: hand-outs stop until it is held again.
     *
     * @param beforeDurable whether it never came to be held: members that got something on the strength of the lock alone have to
     *     give it up, since others may have had the group meanwhile
     */
    record Lost(String detail, boolean beforeDurable) implements Claim {}
}
