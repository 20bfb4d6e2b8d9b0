package io.muster.core;

/**
 * How large things may get on their way from a client into the log, each below the next, so that what one step takes the next does
 * not choke on. All in bytes.
 *
 * @param clientRequestBytes a client's request about a group, as it sends it; what is larger costs its own connection only
 * @param messageBytes a message from a gateway to a node; what is larger is refused by the gateway and never sent, since it would
 *     end the stream that all clients share
 * @param entryBytes a log entry; what is decided together and is larger is decided in several steps, and a single command that needs
 *     more is refused
 * @param appenderBytes what Ratis sends of the log at once; a larger entry would cost the leader its leadership
 * @param answerBytes a message from a node to a gateway or to an operator; a larger answer is replaced by a refusal
 */
public record Limits(int clientRequestBytes, int messageBytes, int entryBytes, int appenderBytes, int answerBytes) {
    private static final int MB = 1024 * 1024;

    /**
     * Those in force. An entry of 12 MB holds the new target assignment of a group with some 400,000 partitions, or a Streams topology
     * a hundred times as large as the largest that Kafka's own limit of 1 MB for each record allows.
     */
    public static final Limits DEFAULT = new Limits(4 * MB, 8 * MB, 12 * MB, 16 * MB, 64 * MB);

    /** Beside the entry itself Ratis's messages hold a few hundred bytes; this is ample. */
    private static final int FRAMING_BYTES = 64 * 1024;

    public Limits {
        requireBelow("a client's request", clientRequestBytes, "a message", messageBytes);
        requireBelow("a message", messageBytes, "a log entry", entryBytes);
        requireBelow("a log entry", entryBytes + FRAMING_BYTES, "what Ratis sends at once", appenderBytes);
        requireBelow("a message", messageBytes, "an answer", answerBytes);
    }

    private static void requireBelow(String small, int smallBytes, String large, int largeBytes) {
        if (smallBytes <= 0 || smallBytes >= largeBytes) {
            throw new IllegalArgumentException(small + " (" + smallBytes + " bytes) must be smaller than " + large
                    + " (" + largeBytes + " bytes)");
        }
    }
}
