package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.api.AlterConfigsMessages.Outcome;
import io.muster.gateway.kafka.api.AlterConfigsMessages.Resource;
import io.muster.gateway.kafka.api.AlterConfigsMessages.Results;
import io.muster.gateway.kafka.api.GroupConfigChange.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** The way of a request that alters configs: of group resources Muster's configs go to Raft, all else upstream. */
final class AlterConfigsPipeline {
    private static final Refusal NONE = new Refusal(Errors.NONE.code(), Optional.empty());
    private static final Refusal UNSAID = new Refusal(Errors.UNKNOWN_SERVER_ERROR.code(), Optional.empty());

    private final AlterConfigsMessages messages;
    private final KafkaRequest request;
    private final ClientSession session;
    private final GroupConfigChanges changes;

    private AlterConfigsPipeline(AlterConfigsMessages messages, KafkaRequest request, ClientSession session) {
        this.messages = messages;
        this.request = request;
        this.session = session;
        this.changes = new GroupConfigChanges(session, request);
    }

    /** @param messages read from the request */
    static Route route(AlterConfigsMessages messages, KafkaRequest request, ClientSession session) {
        List<GroupConfigChange> groups = messages.groupChanges();
        return groups.isEmpty()
                ? Route.Pass.UNREAD
                : Route.Answer.of(new AlterConfigsPipeline(messages, request, session).answer(groups));
    }

    private CompletableFuture<ApiMessage> answer(List<GroupConfigChange> groups) {
        return Answers.all(groups.stream().map(changes::checked).toList())
                .thenCompose(checked -> upstream(checked)
                        .thenCompose(said -> made(checked, said).thenApply(own -> messages.write(merged(own, said)))));
    }

    private CompletableFuture<Results> upstream(List<GroupConfigChange> checked) {
        Set<String> refused = checked.stream()
                .filter(change -> change.refusal().isPresent())
                .map(GroupConfigChange::groupId)
                .collect(Collectors.toSet());
        return messages.forUpstream(refused)
                .map(left -> session.upstream()
                        .call(request.api(), request.version(), left)
                        .thenApply(messages::read))
                .orElseGet(() -> CompletableFuture.completedFuture(Results.NONE));
    }

    private CompletableFuture<List<Outcome>> made(List<GroupConfigChange> checked, Results said) {
        return Answers.all(checked.stream().map(change -> made(change, said)).toList());
    }

    private CompletableFuture<Outcome> made(GroupConfigChange change, Results said) {
        Resource group = new Resource(GroupConfigChanges.GROUP, change.groupId());
        return changes.made(change, said.of(group).map(Outcome::result).orElse(UNSAID), messages.validateOnly())
                .thenApply(refusal -> new Outcome(group, refusal.orElse(NONE)));
    }

    /** In the order of the request. */
    private Results merged(List<Outcome> own, Results upstream) {
        Results ours = new Results(own, upstream.throttleTimeMillis());
        return new Results(
                messages.resources().stream()
                        .flatMap(one -> ours.of(one).or(() -> upstream.of(one)).stream())
                        .toList(),
                upstream.throttleTimeMillis());
    }
}
