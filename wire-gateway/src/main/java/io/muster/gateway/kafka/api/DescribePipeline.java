package io.muster.gateway.kafka.api;

import io.muster.core.GroupCommand;
import io.muster.core.GroupDescription;
import io.muster.core.GroupType;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorMapper;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.permissions.GroupAccess;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * The way of a question about groups of one type: the coordinator describes those that the client may describe, and what names topics
 * that it may not describe is withheld.
 *
 * @param <D> how the coordinator describes groups of this type
 */
final class DescribePipeline<D extends GroupDescription> {
    private static final String HIDDEN_TOPICS =
            "The group has described topic(s) that the client is not authorized to describe.";

    private final Coordinator coordinator;
    private final GroupType type;
    private final Class<D> descriptions;
    private final Function<D, Set<String>> topics;

    /** @param topics the topics that a description names */
    DescribePipeline(Coordinator coordinator, GroupType type, Class<D> descriptions, Function<D, Set<String>> topics) {
        this.coordinator = coordinator;
        this.type = type;
        this.descriptions = descriptions;
        this.topics = topics;
    }

    /**
     * What the client gets to know of one group.
     *
     * @param error none if the group is described
     * @param group null if there is an error
     * @param operations what the client may do with the group, one bit each; unknown if there is an error
     */
    record Outcome<D>(
            String groupId,
            Errors error,
            @Nullable String message,
            @Nullable D group,
            int operations) {
        private static <D> Outcome<D> refused(String groupId, Errors error, @Nullable String message) {
            return new Outcome<>(groupId, error, message, null, GroupAccess.UNKNOWN);
        }
    }

    /** One outcome for each group that is asked about; those that the client may not see come first, as in Kafka. */
    CompletableFuture<List<Outcome<D>>> describe(List<String> groupIds, ClientSession session) {
        return session.permissions()
                .groups(groupIds)
                .thenCompose(access -> Answers.all(groupIds.stream()
                        .map(id -> describe(id, access.get(id), session.upstream()))
                        .toList()))
                .thenCompose(outcomes -> withoutHidden(outcomes, session))
                .thenApply(DescribePipeline::deniedFirst);
    }

    private CompletableFuture<Outcome<D>> describe(
            String groupId, @Nullable GroupAccess access, ClientUpstream upstream) {
        if (access == null || !access.mayDescribe()) {
            Errors error = access == null ? Errors.COORDINATOR_NOT_AVAILABLE : access.error();
            return CompletableFuture.completedFuture(Outcome.refused(groupId, error, null));
        }
        return coordinator
                .submit(new GroupCommand.Describe(groupId, type))
                .thenCompose(response -> GroupsUpstream.told(response, groupId, type, upstream))
                .thenApply(response -> outcome(groupId, response, access));
    }

    private Outcome<D> outcome(String groupId, Response response, GroupAccess access) {
        if (descriptions.isInstance(response)) {
            return new Outcome<>(groupId, Errors.NONE, null, descriptions.cast(response), access.operations());
        }
        Response.Refused refused = Answers.refusal(response);
        return Outcome.refused(
                groupId, ErrorMapper.errorOf(refused.error()), groupId.isEmpty() ? null : refused.message());
    }

    private CompletableFuture<List<Outcome<D>>> withoutHidden(List<Outcome<D>> outcomes, ClientSession session) {
        Set<String> all = new TreeSet<>();
        outcomes.forEach(outcome -> all.addAll(topics(outcome)));
        return session.permissions()
                .undescribable(all)
                .thenApply(hidden -> outcomes.stream()
                        .map(outcome -> Collections.disjoint(topics(outcome), hidden)
                                ? outcome
                                : Outcome.<D>refused(
                                        outcome.groupId(), Errors.TOPIC_AUTHORIZATION_FAILED, HIDDEN_TOPICS))
                        .toList());
    }

    private Set<String> topics(Outcome<D> outcome) {
        D group = outcome.group();
        return group == null ? Set.of() : topics.apply(group);
    }

    private static <D> List<Outcome<D>> deniedFirst(List<Outcome<D>> outcomes) {
        return outcomes.stream()
                .sorted(Comparator.comparing(outcome -> outcome.error() != Errors.GROUP_AUTHORIZATION_FAILED))
                .toList();
    }
}
