package io.muster.gateway.kafka.api;

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
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** IncrementalAlterConfigs: of group resources Muster's configs go to Raft, all else upstream; one answer for each resource. */
public final class IncrementalAlterConfigsApi implements Api {
    @Override
    public ApiKeys key() {
        return ApiKeys.INCREMENTAL_ALTER_CONFIGS;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        IncrementalAlterConfigsRequestData asked = request.body(IncrementalAlterConfigsRequestData.class);
        GroupConfigChanges changes = new GroupConfigChanges(session, request);
        List<AlterConfigsResource> groups = asked.resources().stream()
                .filter(resource -> resource.resourceType() == GroupConfigChanges.GROUP)
                .toList();
        if (groups.isEmpty()) {
            return Route.Pass.UNREAD;
        }
        CompletableFuture<List<GroupConfigChange>> checked = Answers.all(
                groups.stream().map(group -> changes.checked(change(group))).toList());
        return Route.Answer.of(checked.thenCompose(some ->
                call(request, asked, some, session).thenCompose(upstream -> answer(asked, some, upstream, changes))));
    }

    private static GroupConfigChange change(AlterConfigsResource resource) {
        List<AlterableConfig> own = resource.configs().stream()
                .filter(config -> !GroupConfigChanges.isUpstreams(config.name()))
                .toList();
        return GroupConfigRules.refusal(
                        resource.resourceName(),
                        resource.configs().stream().map(AlterableConfig::name).toList(),
                        resource.configs().stream()
                                .filter(config -> config.value() == null && operation(config) != OpType.DELETE)
                                .map(AlterableConfig::name)
                                .toList())
                .orElseGet(() -> change(
                        resource.resourceName(),
                        own,
                        own.size() < resource.configs().size()));
    }

    /** As in Kafka nothing is appended to or subtracted from a config of a group, and an unknown operation is its own fault. */
    private static GroupConfigChange change(String groupId, List<AlterableConfig> own, boolean hasUpstreams) {
        SortedMap<String, Optional<String>> values = new TreeMap<>();
        for (AlterableConfig config : own) {
            OpType operation = operation(config);
            if (operation == null) {
                return GroupConfigChange.refused(groupId, Errors.UNKNOWN_SERVER_ERROR.code());
            }
            if (operation == OpType.APPEND || operation == OpType.SUBTRACT) {
                return GroupConfigChange.refused(
                        groupId,
                        Errors.INVALID_CONFIG.code(),
                        "Can't " + operation + " to key " + config.name() + " because its type is not LIST.");
            }
            values.put(
                    config.name(), operation == OpType.DELETE ? Optional.empty() : Optional.ofNullable(config.value()));
        }
        return new GroupConfigChange(groupId, values, hasUpstreams, Optional.empty());
    }

    private static @Nullable OpType operation(AlterableConfig config) {
        return OpType.forId(config.configOperation());
    }

    /** Sends on what is upstream's; a group of which nothing is goes along, so that upstream says whether the client may. */
    private CompletableFuture<IncrementalAlterConfigsResponseData> call(
            KafkaRequest request,
            IncrementalAlterConfigsRequestData asked,
            List<GroupConfigChange> some,
            ClientSession session) {
        IncrementalAlterConfigsRequestData passed = asked.duplicate();
        for (GroupConfigChange change : some) {
            AlterConfigsResource resource = passed.resources().find(GroupConfigChanges.GROUP, change.groupId());
            resource.configs().removeIf(config -> !GroupConfigChanges.isUpstreams(config.name()));
            if (change.refusal().isPresent()) {
                passed.resources().remove(resource);
            }
        }
        return passed.resources().isEmpty()
                ? CompletableFuture.completedFuture(new IncrementalAlterConfigsResponseData())
                : session.upstream()
                        .call(key(), request.version(), passed)
                        .thenApply(IncrementalAlterConfigsResponseData.class::cast);
    }

    private static CompletableFuture<ApiMessage> answer(
            IncrementalAlterConfigsRequestData asked,
            List<GroupConfigChange> some,
            IncrementalAlterConfigsResponseData upstream,
            GroupConfigChanges changes) {
        return Answers.all(some.stream()
                        .map(change -> result(change, upstream, asked.validateOnly(), changes))
                        .toList())
                .thenApply(results -> merged(asked, results, upstream));
    }

    private static CompletableFuture<AlterConfigsResourceResponse> result(
            GroupConfigChange change,
            IncrementalAlterConfigsResponseData upstream,
            boolean validateOnly,
            GroupConfigChanges changes) {
        return changes.made(change, said(change.groupId(), upstream), validateOnly)
                .thenApply(refusal -> new AlterConfigsResourceResponse()
                        .setResourceType(GroupConfigChanges.GROUP)
                        .setResourceName(change.groupId())
                        .setErrorCode(refusal.map(Refusal::errorCode).orElse(Errors.NONE.code()))
                        .setErrorMessage(refusal.flatMap(Refusal::message).orElse(null)));
    }

    private static Refusal said(String groupId, IncrementalAlterConfigsResponseData upstream) {
        return upstream.responses().stream()
                .filter(one -> one.resourceType() == GroupConfigChanges.GROUP
                        && one.resourceName().equals(groupId))
                .findFirst()
                .map(one -> new Refusal(one.errorCode(), Optional.ofNullable(one.errorMessage())))
                .orElse(new Refusal(Errors.UNKNOWN_SERVER_ERROR.code(), Optional.empty()));
    }

    /** In the order of the request. */
    private static ApiMessage merged(
            IncrementalAlterConfigsRequestData asked,
            List<AlterConfigsResourceResponse> own,
            IncrementalAlterConfigsResponseData upstream) {
        List<AlterConfigsResourceResponse> candidates = new ArrayList<>(own);
        candidates.addAll(upstream.responses());
        List<AlterConfigsResourceResponse> all = new ArrayList<>();
        for (AlterConfigsResource resource : asked.resources()) {
            candidates.stream()
                    .filter(one -> one.resourceType() == resource.resourceType()
                            && one.resourceName().equals(resource.resourceName()))
                    .findFirst()
                    .ifPresent(all::add);
        }
        return upstream.setResponses(all);
    }
}
