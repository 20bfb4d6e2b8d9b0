package io.muster.gateway.kafka.api;

import io.muster.core.GroupConfigs;
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
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.AlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** AlterConfigs, the older way, which replaces all configs of a resource: Muster's of a group in Raft, the others upstream. */
final class AlterConfigsApi implements Api {
    @Override
    public ApiKeys key() {
        return ApiKeys.ALTER_CONFIGS;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        return AlterConfigsPipeline.route(new Messages(request.body(AlterConfigsRequestData.class)), request, session);
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

    private record Messages(AlterConfigsRequestData asked) implements AlterConfigsMessages {
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
                    .map(AlterConfigsApi::change)
                    .toList();
        }

        @Override
        public Optional<ApiMessage> forUpstream(Set<String> refusedGroups) {
            AlterConfigsRequestData passed = asked.duplicate();
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
            AlterConfigsResponseData said = (AlterConfigsResponseData) response;
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
            return new AlterConfigsResponseData()
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
