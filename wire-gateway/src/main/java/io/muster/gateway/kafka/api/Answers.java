package io.muster.gateway.kafka.api;

import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.gateway.kafka.ClientSession;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** Answers that come from the coordinator. */
final class Answers {
    /** How long a request waits for what its client may do; shorter than any session. */
    static final long PERMISSION_MILLIS = 3_000;

    private Answers() {}

    /** The refusal in a response, or that of a response of the wrong kind. */
    static Response.Refused refusal(Response response) {
        return response instanceof Response.Refused refused
                ? refused
                : new Response.Refused(GroupError.COORDINATOR_NOT_AVAILABLE, "The coordinator gave no fitting answer.");
    }

    /** The answer for a client that may READ the group; any other is refused, and retriably while the broker does not say it. */
    static CompletableFuture<ApiMessage> forReader(
            ClientSession session,
            String groupId,
            Supplier<CompletableFuture<ApiMessage>> answer,
            Function<Errors, ApiMessage> refusal) {
        return session.permissions()
                .mayRead(groupId)
                .thenApply(may -> may ? Errors.NONE : Errors.GROUP_AUTHORIZATION_FAILED)
                .orTimeout(PERMISSION_MILLIS, TimeUnit.MILLISECONDS)
                .exceptionally(unknown -> Errors.COORDINATOR_NOT_AVAILABLE)
                .thenCompose(error ->
                        error == Errors.NONE ? answer.get() : CompletableFuture.completedFuture(refusal.apply(error)));
    }

    /** A refusal that a client which may not READ the group does not get to hear. */
    static CompletableFuture<ApiMessage> forReader(
            ClientSession session, String groupId, Errors error, Function<Errors, ApiMessage> refusal) {
        return forReader(session, groupId, () -> CompletableFuture.completedFuture(refusal.apply(error)), refusal);
    }

    static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }
}
