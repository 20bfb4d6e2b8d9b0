package io.muster.gateway.kafka.api;

import io.muster.core.GroupConfigs;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.AlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** AlterConfigs, the older way, which replaces all configs of a resource: Muster's of a group in Raft, the others upstream. */
public final class AlterConfigsApi implements Api {
    private final Coordinator coordinator;

    public AlterConfigsApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.ALTER_CONFIGS;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        AlterConfigsRequestData asked = request.body(AlterConfigsRequestData.class);
        List<CompletableFuture<AlterConfigsResourceResponse>> own = new ArrayList<>();
        for (AlterConfigsResource resource : asked.resources()) {
            if (resource.resourceType() == GroupConfigChanges.GROUP) {
                own.add(change(resource, asked.validateOnly()));
            }
        }
        if (own.isEmpty()) {
            return Route.Pass.UNREAD;
        }
        AlterConfigsRequestData others = asked.duplicate();
        others.resources().stream()
                .filter(resource -> resource.resourceType() == GroupConfigChanges.GROUP)
                .forEach(resource ->
                        resource.configs().removeIf(config -> !GroupConfigChanges.isUpstreams(config.name())));
        CompletableFuture<AlterConfigsResponseData> upstream = session.upstream()
                .call(key(), request.version(), others)
                .thenApply(AlterConfigsResponseData.class::cast);
        return Route.Answer.of(Answers.all(own).thenCombine(upstream, AlterConfigsApi::merged));
    }

    private CompletableFuture<AlterConfigsResourceResponse> change(
            AlterConfigsResource resource, boolean validateOnly) {
        SortedMap<String, Optional<String>> changes = new TreeMap<>();
        GroupConfigs.NAMES.forEach(name -> changes.put(name, Optional.empty()));
        resource.configs().stream()
                .filter(config -> !GroupConfigChanges.isUpstreams(config.name()))
                .forEach(config -> changes.put(config.name(), Optional.ofNullable(config.value())));
        return GroupConfigChanges.submit(coordinator, resource.resourceName(), changes, validateOnly)
                .thenApply(AlterConfigsApi::translated);
    }

    private static AlterConfigsResourceResponse translated(
            IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse result) {
        return new AlterConfigsResourceResponse()
                .setResourceType(result.resourceType())
                .setResourceName(result.resourceName())
                .setErrorCode(result.errorCode())
                .setErrorMessage(result.errorMessage());
    }

    private static ApiMessage merged(List<AlterConfigsResourceResponse> own, AlterConfigsResponseData upstream) {
        for (AlterConfigsResourceResponse result : own) {
            upstream.responses().stream()
                    .filter(one -> one.resourceType() == result.resourceType()
                            && one.resourceName().equals(result.resourceName())
                            && result.errorCode() != Errors.NONE.code())
                    .forEach(one -> one.setErrorCode(result.errorCode()).setErrorMessage(result.errorMessage()));
        }
        return upstream;
    }
}
