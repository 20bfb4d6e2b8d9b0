package io.muster.gateway.kafka.api;

import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.gateway.kafka.Route;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.protocol.ApiMessage;

/** Answers that come from the coordinator. */
final class Answers {
    /** Longer than a command may wait for topics or a claim, shorter than clients wait for an answer. */
    private static final long BOUND_MILLIS = 15_000;

    private Answers() {}

    /** The coordinator's word, or within a bound that it is not available. */
    static CompletableFuture<Response> bounded(CompletableFuture<Response> response) {
        Response unavailable =
                new Response.Refused(GroupError.COORDINATOR_NOT_AVAILABLE, "The coordinator did not answer in time.");
        return response.copy().completeOnTimeout(unavailable, BOUND_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** A heartbeat's answer, and what is said instead if it waits for too long behind other replies. */
    static Route.Answer heartbeat(CompletableFuture<ApiMessage> message, ApiMessage unavailable) {
        return new Route.Answer(message, Optional.of(unavailable));
    }

    /** The refusal in a response, or that of a response of the wrong kind. */
    static Response.Refused refusal(Response response) {
        return response instanceof Response.Refused refused
                ? refused
                : new Response.Refused(GroupError.COORDINATOR_NOT_AVAILABLE, "The coordinator gave no fitting answer.");
    }

    static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }
}
