package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.api.GroupConfigChange.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
final class IncrementalAlterConfigsApi implements Api {
    @Override
    public ApiKeys key() {
        return ApiKeys.INCREMENTAL_ALTER_CONFIGS;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        return AlterConfigsPipeline.route(
                new Messages(request.body(IncrementalAlterConfigsRequestData.class)), request, session);
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

    private record Messages(IncrementalAlterConfigsRequestData asked) implements AlterConfigsMessages {
        @Override
        public boolean validateOnly() {
            return asked.validateOnly();
        }

        @Override
        public List<Resource> resources() {
            return asked.resources().stream()
                    .map(one -> new Resource(one.resourceType(), one.resourceName()))
                    .toList();
        }

        @Override
        public List<GroupConfigChange> groupChanges() {
            return asked.resources().stream()
                    .filter(resource -> resource.resourceType() == GroupConfigChanges.GROUP)
                    .map(IncrementalAlterConfigsApi::change)
                    .toList();
        }

        @Override
        public Optional<ApiMessage> forUpstream(Set<String> refusedGroups) {
            IncrementalAlterConfigsRequestData passed = asked.duplicate();
            passed.resources()
                    .removeIf(one -> one.resourceType() == GroupConfigChanges.GROUP
                            && refusedGroups.contains(one.resourceName()));
            passed.resources().stream()
                    .filter(one -> one.resourceType() == GroupConfigChanges.GROUP)
                    .forEach(one -> one.configs().removeIf(config -> !GroupConfigChanges.isUpstreams(config.name())));
            return passed.resources().isEmpty() ? Optional.empty() : Optional.of(passed);
        }

        @Override
        public Results read(ApiMessage response) {
            IncrementalAlterConfigsResponseData said = (IncrementalAlterConfigsResponseData) response;
            return new Results(
                    said.responses().stream()
                            .map(one -> new Outcome(
                                    new Resource(one.resourceType(), one.resourceName()),
                                    new Refusal(one.errorCode(), Optional.ofNullable(one.errorMessage()))))
                            .toList(),
                    said.throttleTimeMs());
        }

        @Override
        public ApiMessage write(Results results) {
            return new IncrementalAlterConfigsResponseData()
                    .setThrottleTimeMs(results.throttleTimeMillis())
                    .setResponses(results.outcomes().stream()
                            .map(one -> new AlterConfigsResourceResponse()
                                    .setResourceType(one.resource().type())
                                    .setResourceName(one.resource().name())
                                    .setErrorCode(one.result().errorCode())
                                    .setErrorMessage(one.result().message().orElse(null)))
                            .toList());
        }
    }
}
