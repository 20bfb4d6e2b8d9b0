package io.muster.core;

/** The kinds of group that Muster coordinates. */
public enum GroupType {
    /** KIP-848. */
    CONSUMER("consumer"),
    /** KIP-1071. */
    STREAMS("streams");

    private final String word;

    GroupType(String word) {
        this.word = word;
    }

    /** What Kafka calls such a group within its messages. */
    public String word() {
        return word;
    }
}
