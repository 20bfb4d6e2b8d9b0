package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.ClientSession;
import java.net.ConnectException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.protocol.Errors;

/** Whether a client may send a heartbeat at all: it needs READ on the group, and DESCRIBE on the topics that it names. */
final class HeartbeatAdmission {
    private static final int JOIN_EPOCH = 0;

    private HeartbeatAdmission() {}

    /**
     * Empty if it may, else the error to answer. Known at once if the client was allowed before and names no topics.
     *
     * @param topics that the heartbeat names; may be empty
     */
    static CompletableFuture<Optional<Errors>> of(
            ClientSession session, String groupId, int memberEpoch, Set<String> topics) {
        return session.permissions()
                .mayRead(groupId)
                .thenCombine(session.permissions().undescribable(topics), (read, hidden) -> {
                    if (!read) {
                        return Optional.of(Errors.GROUP_AUTHORIZATION_FAILED);
                    }
                    return hidden.isEmpty() ? Optional.<Errors>empty() : Optional.of(Errors.TOPIC_AUTHORIZATION_FAILED);
                })
                .orTimeout(Answers.PERMISSION_MILLIS, TimeUnit.MILLISECONDS)
                .exceptionally(failure -> isAway(failure) && memberEpoch != JOIN_EPOCH
                        ? Optional.empty()
                        : Optional.of(Errors.COORDINATOR_NOT_AVAILABLE));
    }

    /** A member that joined before keeps its place while the broker that knows its permissions cannot be reached or hangs. */
    private static boolean isAway(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof ConnectException || cause instanceof TimeoutException;
    }
}
