package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

/** IncrementalAlterConfigs: of group resources Muster's configs go to Raft, all else upstream; one answer for each resource. */
public final class IncrementalAlterConfigsApi implements Api {
    private final Coordinator coordinator;

    public IncrementalAlterConfigsApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.INCREMENTAL_ALTER_CONFIGS;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        IncrementalAlterConfigsRequestData asked = request.body(IncrementalAlterConfigsRequestData.class);
        IncrementalAlterConfigsRequestData others = asked.duplicate();
        Map<String, CompletableFuture<AlterConfigsResourceResponse>> own = new HashMap<>();
        for (AlterConfigsResource resource : asked.resources()) {
            if (concernsMuster(resource)) {
                own.put(resource.resourceName(), change(resource, asked.validateOnly()));
                takeOut(others, resource);
            }
        }
        if (own.isEmpty()) {
            return Route.Pass.UNREAD;
        }
        CompletableFuture<IncrementalAlterConfigsResponseData> upstream =
                others.resources().isEmpty()
                        ? CompletableFuture.completedFuture(new IncrementalAlterConfigsResponseData())
                        : session.upstream()
                                .call(key(), request.version(), others)
                                .thenApply(IncrementalAlterConfigsResponseData.class::cast);
        return Route.Answer.of(Answers.all(List.copyOf(own.values()))
                .thenCombine(upstream, (changed, passed) -> merged(asked, changed, passed)));
    }

    private static boolean concernsMuster(AlterConfigsResource resource) {
        return resource.resourceType() == GroupConfigChanges.GROUP
                && resource.configs().stream().anyMatch(config -> !GroupConfigChanges.isUpstreams(config.name()));
    }

    private CompletableFuture<AlterConfigsResourceResponse> change(
            AlterConfigsResource resource, boolean validateOnly) {
        SortedMap<String, Optional<String>> changes = new TreeMap<>();
        for (AlterableConfig config : resource.configs()) {
            if (GroupConfigChanges.isUpstreams(config.name())) {
                continue;
            }
            OpType operation = OpType.forId(config.configOperation());
            if (operation != OpType.SET && operation != OpType.DELETE) {
                return CompletableFuture.completedFuture(GroupConfigChanges.result(
                        resource.resourceName(),
                        Errors.INVALID_CONFIG.code(),
                        Optional.of(
                                "Can't " + operation + " to key " + config.name() + " because its type is not LIST.")));
            }
            changes.put(
                    config.name(), operation == OpType.SET ? Optional.ofNullable(config.value()) : Optional.empty());
        }
        return GroupConfigChanges.submit(coordinator, resource.resourceName(), changes, validateOnly);
    }

    /** Leaves upstream's configs of the resource in, or takes it out if there are none. */
    private static void takeOut(IncrementalAlterConfigsRequestData others, AlterConfigsResource resource) {
        AlterConfigsResource other = others.resources().find(resource.resourceType(), resource.resourceName());
        other.configs().removeIf(config -> !GroupConfigChanges.isUpstreams(config.name()));
        if (other.configs().isEmpty()) {
            others.resources().remove(other);
        }
    }

    private static ApiMessage merged(
            IncrementalAlterConfigsRequestData asked,
            List<AlterConfigsResourceResponse> changed,
            IncrementalAlterConfigsResponseData upstream) {
        List<AlterConfigsResourceResponse> candidates = new ArrayList<>(changed);
        candidates.addAll(upstream.responses());
        List<AlterConfigsResourceResponse> all = new ArrayList<>();
        for (AlterConfigsResource resource : asked.resources()) {
            List<AlterConfigsResourceResponse> said = candidates.stream()
                    .filter(one -> one.resourceType() == resource.resourceType()
                            && one.resourceName().equals(resource.resourceName()))
                    .toList();
            said.stream()
                    .filter(one -> one.errorCode() != Errors.NONE.code())
                    .findFirst()
                    .or(() -> said.stream().findFirst())
                    .ifPresent(all::add);
        }
        return upstream.setResponses(all);
    }
}
