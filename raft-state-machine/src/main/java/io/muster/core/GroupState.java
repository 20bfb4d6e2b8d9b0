package io.muster.core;

/** The state of a group as Kafka names it in describe and list answers. */
public enum GroupState {
    EMPTY("Empty"),
    ASSIGNING("Assigning"),
    RECONCILING("Reconciling"),
    STABLE("Stable"),
    /** Streams only: topics are missing or do not fit the topology. */
    NOT_READY("NotReady"),
    DEAD("Dead");

    private final String kafkaName;

    GroupState(String kafkaName) {
        this.kafkaName = kafkaName;
    }

    /** The spelling on the wire, for example {@code NotReady}. */
    public String kafkaName() {
        return kafkaName;
    }
}
