package io.muster.gateway.kafka.api;

import io.muster.core.GroupConfigs;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.api.GroupConfigChange.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.AlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** AlterConfigs, the older way, which replaces all configs of a resource: Muster's of a group in Raft, the others upstream. */
public final class AlterConfigsApi implements Api {
    @Override
    public ApiKeys key() {
        return ApiKeys.ALTER_CONFIGS;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        AlterConfigsRequestData asked = request.body(AlterConfigsRequestData.class);
        GroupConfigChanges changes = new GroupConfigChanges(session, request);
        List<CompletableFuture<GroupConfigChange>> groups = asked.resources().stream()
                .filter(resource -> resource.resourceType() == GroupConfigChanges.GROUP)
                .map(resource -> changes.checked(change(resource)))
                .toList();
        if (groups.isEmpty()) {
            return Route.Pass.UNREAD;
        }
        return Route.Answer.of(Answers.all(groups)
                .thenCompose(some -> call(request, asked, some, session)
                        .thenCompose(upstream -> answer(asked, some, upstream, changes))));
    }

    private static GroupConfigChange change(AlterConfigsResource resource) {
        List<String> names =
                resource.configs().stream().map(AlterableConfig::name).toList();
        List<String> withoutValue = resource.configs().stream()
                .filter(config -> config.value() == null)
                .map(AlterableConfig::name)
                .toList();
        SortedMap<String, Optional<String>> own = new TreeMap<>();
        GroupConfigs.all().forEach(name -> own.put(name, Optional.empty()));
        resource.configs().stream()
                .filter(config -> !GroupConfigChanges.isUpstreams(config.name()))
                .forEach(config -> own.put(config.name(), Optional.ofNullable(config.value())));
        return GroupConfigRules.refusal(resource.resourceName(), names, withoutValue)
                .orElseGet(() -> new GroupConfigChange(
                        resource.resourceName(),
                        own,
                        names.stream().anyMatch(GroupConfigChanges::isUpstreams),
                        Optional.empty()));
    }

    private CompletableFuture<AlterConfigsResponseData> call(
            KafkaRequest request, AlterConfigsRequestData asked, List<GroupConfigChange> some, ClientSession session) {
        AlterConfigsRequestData passed = asked.duplicate();
        for (GroupConfigChange change : some) {
            AlterConfigsResource resource = passed.resources().find(GroupConfigChanges.GROUP, change.groupId());
            resource.configs().removeIf(config -> !GroupConfigChanges.isUpstreams(config.name()));
            if (change.refusal().isPresent()) {
                passed.resources().remove(resource);
            }
        }
        return passed.resources().isEmpty()
                ? CompletableFuture.completedFuture(new AlterConfigsResponseData())
                : session.upstream()
                        .call(key(), request.version(), passed)
                        .thenApply(AlterConfigsResponseData.class::cast);
    }

    private static CompletableFuture<ApiMessage> answer(
            AlterConfigsRequestData asked,
            List<GroupConfigChange> some,
            AlterConfigsResponseData upstream,
            GroupConfigChanges changes) {
        return Answers.all(some.stream()
                        .map(change -> result(change, upstream, asked.validateOnly(), changes))
                        .toList())
                .thenApply(results -> merged(results, upstream));
    }

    private static CompletableFuture<AlterConfigsResourceResponse> result(
            GroupConfigChange change,
            AlterConfigsResponseData upstream,
            boolean validateOnly,
            GroupConfigChanges changes) {
        return changes.made(change, said(change.groupId(), upstream), validateOnly)
                .thenApply(refusal -> new AlterConfigsResourceResponse()
                        .setResourceType(GroupConfigChanges.GROUP)
                        .setResourceName(change.groupId())
                        .setErrorCode(refusal.map(Refusal::errorCode).orElse(Errors.NONE.code()))
                        .setErrorMessage(refusal.flatMap(Refusal::message).orElse(null)));
    }

    private static Refusal said(String groupId, AlterConfigsResponseData upstream) {
        return upstream.responses().stream()
                .filter(one -> one.resourceType() == GroupConfigChanges.GROUP
                        && one.resourceName().equals(groupId))
                .findFirst()
                .map(one -> new Refusal(one.errorCode(), Optional.ofNullable(one.errorMessage())))
                .orElse(new Refusal(Errors.UNKNOWN_SERVER_ERROR.code(), Optional.empty()));
    }

    private static ApiMessage merged(List<AlterConfigsResourceResponse> own, AlterConfigsResponseData upstream) {
        List<AlterConfigsResourceResponse> all = new ArrayList<>(own);
        upstream.responses().stream()
                .filter(one -> one.resourceType() != GroupConfigChanges.GROUP)
                .forEach(all::add);
        return upstream.setResponses(all);
    }
}
