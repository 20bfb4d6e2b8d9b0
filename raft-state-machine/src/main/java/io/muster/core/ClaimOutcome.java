package io.muster.core;

/** What upstream said to a {@link ClaimOperation}. */
public sealed interface ClaimOutcome {
    /** Upstream lists our member though the join is not answered yet: others are locked out. */
    record Locked() implements ClaimOutcome {}

    /**
     * Joined and synced: the claim is durable.
     *
     * @param sessionTimeoutMillis the longest session timeout that the broker took, milliseconds
     * @param inPlace whether a member of ours was there and was replaced; if not, the group stood open to others
     */
    record Joined(ClaimIdentity identity, int sessionTimeoutMillis, boolean inPlace) implements ClaimOutcome {
        /** Joined a group in which we had no member. */
        public Joined(ClaimIdentity identity, int sessionTimeoutMillis) {
            this(identity, sessionTimeoutMillis, false);
        }
    }

    /**
     * Every commit with an older identity is refused from now on.
     *
     * @param inPlace whether a member of ours was there and was replaced; if not, the group stood open to others
     */
    record Fenced(ClaimIdentity identity, boolean inPlace) implements ClaimOutcome {
        /** Our member was replaced. */
        public Fenced(ClaimIdentity identity) {
            this(identity, true);
        }
    }

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

    /**
     * Our identity is not upstream's any more.
     *
     * @param gone whether upstream has no member of ours at all, so that the group stands open to others
     */
    record Lost(String detail, boolean gone) implements ClaimOutcome {
        /** Another member of ours lives there, or may. */
        public Lost(String detail) {
            this(detail, false);
        }
    }

    /** Upstream's coordinator could not be reached or answered with a retriable error; the operation may have happened. */
    record Unavailable(String detail) implements ClaimOutcome {}
}
