package io.muster.gateway.kafka.api;

import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.Route;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** Answers that come from the coordinator. */
final class Answers {
    /** How long a heartbeat waits for what its client may do; shorter than any session. */
    static final long PERMISSION_MILLIS = 3_000;

    /** Kafka's words for a description that names topics which the client may not see. */
    static final String HIDDEN_TOPICS =
            "The group has described topic(s) that the client is not authorized to describe.";

    private Answers() {}

    /** The coordinator's answer, handed on by the connection's thread: the shard's thread has other groups to decide. */
    static CompletableFuture<Response> onThread(ClientSession session, CompletableFuture<Response> response) {
        return response.thenApplyAsync(Function.identity(), session.thread());
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

    /** The entries of groups that the client may not see before all others, as Kafka puts them. */
    static <T> List<T> deniedFirst(List<T> groups, Function<T, Short> errorCode) {
        return groups.stream()
                .sorted(Comparator.comparing(
                        group -> errorCode.apply(group) != Errors.GROUP_AUTHORIZATION_FAILED.code()))
                .toList();
    }

    /**
     * The descriptions, and of groups with topics that the client may not see a refusal instead.
     *
     * @param topics those that a description names
     */
    static <T> CompletableFuture<List<T>> withoutHidden(
            List<T> groups, ClientSession session, Function<T, Set<String>> topics, UnaryOperator<T> refusal) {
        Set<String> all = new TreeSet<>();
        groups.forEach(group -> all.addAll(topics.apply(group)));
        return session.permissions()
                .undescribable(all)
                .thenApply(hidden -> groups.stream()
                        .map(group -> Collections.disjoint(topics.apply(group), hidden) ? group : refusal.apply(group))
                        .toList());
    }

    static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }
}
