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
     * @param open whether others may have had the group meanwhile: members give up what they have, and nobody keeps anything once
     *     the claim is held again
     */
    record Lost(String detail, boolean open) implements Claim {}
}
