package io.muster.core;

/** What upstream said to a {@link ClaimOperation}. */
public sealed interface ClaimOutcome {
    /** Upstream lists our member though the join is not answered yet: others are locked out. */
    record Locked() implements ClaimOutcome {}

    /**
     * Joined and synced: the claim is durable.
     *
     * @param sessionTimeoutMillis the longest session timeout that the broker took, milliseconds
     */
    record Joined(ClaimIdentity identity, int sessionTimeoutMillis) implements ClaimOutcome {}

    /** The member was replaced: every commit with an older identity is refused from now on. */
    record Fenced(ClaimIdentity identity) implements ClaimOutcome {}

    record HeartbeatOk() implements ClaimOutcome {}

    record Left() implements ClaimOutcome {}

    /** Upstream has nothing of the group, no offsets either. */
    record Absent() implements ClaimOutcome {}

    /** Upstream has something of the group still. */
    record Present() implements ClaimOutcome {}

    /** Others live in the group, or another Muster cluster claims it. */
    record OwnedElsewhere(Occupants occupants, String detail) implements ClaimOutcome {}

    /** Who lives in a group upstream, as far as it decides what a refused member is told. */
    enum Occupants {
        /** Members of a classic group that speak the consumer protocol. */
        CONSUMERS,
        /** Members of a classic group that speak another protocol, for example Connect workers. */
        OTHER_CLASSIC_MEMBERS,
        /** The group is of a type that has no classic members. */
        OTHER_TYPE
    }

    /** Our identity is not upstream's any more. */
    record Lost(String detail) implements ClaimOutcome {}

    /** Upstream's coordinator could not be reached or answered with a retriable error; the operation may have happened. */
    record Unavailable(String detail) implements ClaimOutcome {}
}
