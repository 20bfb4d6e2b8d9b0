package io.muster.gateway.kafka.api;

import io.muster.core.CoordinatorConfig;
import io.muster.core.GroupCommand;
import io.muster.core.GroupConfigs;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorMapper;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** DescribeConfigs: upstream's answer; of group resources the configs that Muster keeps are Muster's. */
public final class DescribeConfigsApi implements Api {
    private static final byte INT = 3;
    private static final byte DEFAULT_CONFIG = 5;
    private static final byte GROUP_CONFIG = 8;

    private final Coordinator coordinator;
    private final CoordinatorConfig defaults;

    public DescribeConfigsApi(Coordinator coordinator, CoordinatorConfig defaults) {
        this.coordinator = coordinator;
        this.defaults = defaults;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_CONFIGS;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        DescribeConfigsRequestData asked = request.body(DescribeConfigsRequestData.class);
        List<DescribeConfigsResource> groups = asked.resources().stream()
                .filter(resource -> resource.resourceType() == GroupConfigChanges.GROUP)
                .toList();
        if (groups.isEmpty()) {
            return Route.Pass.UNREAD;
        }
        CompletableFuture<List<Response>> own = Answers.all(groups.stream()
                .map(group ->
                        Answers.bounded(coordinator.submit(new GroupCommand.DescribeConfigs(group.resourceName()))))
                .toList());
        CompletableFuture<ApiMessage> upstream = session.upstream().call(key(), request.version(), asked);
        return Route.Answer.of(own.thenCombine(
                upstream, (responses, answer) -> merged(groups, responses, (DescribeConfigsResponseData) answer)));
    }

    private ApiMessage merged(
            List<DescribeConfigsResource> groups, List<Response> responses, DescribeConfigsResponseData upstream) {
        Map<String, Integer> index = new HashMap<>();
        for (int i = 0; i < groups.size(); i++) {
            index.put(groups.get(i).resourceName(), i);
        }
        for (DescribeConfigsResult result : upstream.results()) {
            Integer group = index.get(result.resourceName());
            if (result.resourceType() == GroupConfigChanges.GROUP && group != null) {
                merge(result, groups.get(group), responses.get(group));
            }
        }
        return upstream;
    }

    /** An upstream that does not know group configs does not hide Muster's. */
    private void merge(DescribeConfigsResult result, DescribeConfigsResource asked, Response response) {
        boolean refusedUpstream = result.errorCode() == Errors.GROUP_AUTHORIZATION_FAILED.code();
        if (refusedUpstream) {
            return;
        }
        if (!(response instanceof Response.Configs own)) {
            Response.Refused refused = Answers.refusal(response);
            result.setErrorCode(ErrorMapper.codeOf(refused.error()))
                    .setErrorMessage(refused.message())
                    .setConfigs(List.of());
            return;
        }
        List<DescribeConfigsResourceResult> configs = new ArrayList<>(result.configs());
        configs.removeIf(config -> GroupConfigs.NAMES.contains(config.name()));
        List<String> keys = asked.configurationKeys();
        GroupConfigs.NAMES.stream()
                .filter(name -> keys == null || keys.contains(name))
                .forEach(name -> configs.add(config(name, own.configs())));
        configs.sort(Comparator.comparing(DescribeConfigsResourceResult::name));
        result.setErrorCode(Errors.NONE.code()).setErrorMessage("").setConfigs(configs);
    }

    private DescribeConfigsResourceResult config(String name, SortedMap<String, String> own) {
        String value = own.get(name);
        return new DescribeConfigsResourceResult()
                .setName(name)
                .setValue(value == null ? String.valueOf(GroupConfigs.defaultOf(name, defaults)) : value)
                .setConfigSource(value == null ? DEFAULT_CONFIG : GROUP_CONFIG)
                .setConfigType(INT)
                .setDocumentation(null);
    }
}
