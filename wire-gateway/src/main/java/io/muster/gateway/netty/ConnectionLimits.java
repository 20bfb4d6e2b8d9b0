package io.muster.gateway.netty;

import io.muster.core.Limits;
import java.time.Duration;

/**
 * What clients may cost a gateway.
 *
 * @param requestBytes most bytes of a request; at least 1024
 * @param groupRequestBytes most bytes of a request that Muster itself answers; at least 1024, at most what the cluster takes of one
 * @param inFlight most requests of one connection without an answer before no more are read; at least 1
 * @param requestMemoryBytes most bytes, over all connections, of requests that have not arrived whole; at least {@code requestBytes}
 * @param replyMemoryBytes most bytes, over all connections, of replies that clients have not taken; at least 1 MB
 * @param firstRequest time from a connection to the end of its first request
 * @param request time from the first to the last byte of a request
 * @param idle time without a request or a reply after which a connection is closed
 */
public record ConnectionLimits(
        int requestBytes,
        int groupRequestBytes,
        int inFlight,
        long requestMemoryBytes,
        long replyMemoryBytes,
        Duration firstRequest,
        Duration request,
        Duration idle) {
    private static final int LEAST_BYTES = 1024;
    private static final int MB = 1024 * 1024;

    /** Kafka's default {@code socket.request.max.bytes}. */
    private static final int KAFKA_REQUEST_BYTES = 100 * MB;

    /** Of all memory that the process may use, a share for each direction. */
    private static final int MEMORY_SHARE = 8;

    public ConnectionLimits {
        require(requestBytes >= LEAST_BYTES, "the largest request must be 1024 bytes or more");
        require(groupRequestBytes >= LEAST_BYTES, "the largest group request must be 1024 bytes or more");
        require(
                groupRequestBytes <= Limits.DEFAULT.clientRequestBytes(),
                "the largest group request must be " + Limits.DEFAULT.clientRequestBytes() + " bytes or less");
        require(inFlight >= 1, "at least one request must be allowed in flight");
        require(requestMemoryBytes >= requestBytes, "the memory for requests must hold the largest request");
        require(replyMemoryBytes >= MB, "the memory for replies must be 1 MB or more");
        require(firstRequest.toMillis() > 0 && request.toMillis() > 0 && idle.toMillis() > 0, "no time may be 0");
    }

    /** Kafka's limits for requests and idle connections, and an eighth of the JVM's memory for each direction. */
    public static ConnectionLimits defaults() {
        long share = Runtime.getRuntime().maxMemory() / MEMORY_SHARE;
        return new ConnectionLimits(
                KAFKA_REQUEST_BYTES,
                Limits.DEFAULT.clientRequestBytes(),
                200,
                Math.max(share, KAFKA_REQUEST_BYTES),
                Math.max(share, 16 * MB),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Duration.ofMinutes(10));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
