package io.muster.gateway.kafka.api;

import io.muster.core.CoordinatorConfig;
import io.muster.core.GroupCommand;
import io.muster.core.GroupConfigs;
import io.muster.core.Response;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorMapper;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** DescribeConfigs: upstream's answer; of group resources the configs that Muster keeps are Muster's. */
final class DescribeConfigsApi implements Api {
    private static final byte DEFAULT_CONFIG = 5;
    private static final byte GROUP_CONFIG = 8;

    private final CoordinatorConfig defaults;

    DescribeConfigsApi(CoordinatorConfig defaults) {
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
        boolean anyUnknownType = asked.resources().stream()
                .anyMatch(
                        resource -> ConfigResource.Type.forId(resource.resourceType()) == ConfigResource.Type.UNKNOWN);
        if (groups.isEmpty() || anyUnknownType) {
            // Upstream answers nothing of a request that it cannot read to the end.
            return Route.Pass.UNREAD;
        }
        CompletableFuture<List<Response>> own = Answers.all(groups.stream()
                .map(group -> session.ask(new GroupCommand.DescribeConfigs(group.resourceName()), request))
                .toList());
        CompletableFuture<ApiMessage> upstream = session.upstream().call(key(), request.version(), asked);
        return Route.Answer.of(upstream.thenCompose(answer -> authorized((DescribeConfigsResponseData) answer, session)
                .thenCombine(
                        own, (allowed, responses) -> merged(groups, responses, allowed, asked.includeSynonyms()))));
    }

    /** An upstream that knows no group configs does not say whether the client may see them: it has to see the cluster's then. */
    private static CompletableFuture<DescribeConfigsResponseData> authorized(
            DescribeConfigsResponseData upstream, ClientSession session) {
        List<DescribeConfigsResult> unknown = upstream.results().stream()
                .filter(result -> result.resourceType() == GroupConfigChanges.GROUP
                        && result.errorCode() != Errors.NONE.code()
                        && !isRefused(result))
                .toList();
        if (unknown.isEmpty()) {
            return CompletableFuture.completedFuture(upstream);
        }
        return session.permissions().mayOnCluster(AclOperation.DESCRIBE_CONFIGS).thenApply(may -> {
            if (!may) {
                unknown.forEach(result -> result.setErrorCode(Errors.CLUSTER_AUTHORIZATION_FAILED.code())
                        .setErrorMessage("Cluster authorization failed."));
            }
            return upstream;
        });
    }

    private static boolean isRefused(DescribeConfigsResult result) {
        return result.errorCode() == Errors.GROUP_AUTHORIZATION_FAILED.code()
                || result.errorCode() == Errors.CLUSTER_AUTHORIZATION_FAILED.code();
    }

    private ApiMessage merged(
            List<DescribeConfigsResource> groups,
            List<Response> responses,
            DescribeConfigsResponseData upstream,
            boolean synonyms) {
        // Upstream answers about one name in the order of the request, which may name it more than once.
        Map<String, Deque<Integer>> places = new HashMap<>();
        for (int i = 0; i < groups.size(); i++) {
            places.computeIfAbsent(groups.get(i).resourceName(), name -> new ArrayDeque<>())
                    .add(i);
        }
        for (DescribeConfigsResult result : upstream.results()) {
            Deque<Integer> left = places.get(result.resourceName());
            Integer place = result.resourceType() == GroupConfigChanges.GROUP && left != null ? left.poll() : null;
            if (place != null) {
                merge(result, groups.get(place), responses.get(place), synonyms);
            }
        }
        return upstream;
    }

    private void merge(
            DescribeConfigsResult result, DescribeConfigsResource asked, Response response, boolean synonyms) {
        if (isRefused(result) || result.resourceName().isEmpty()) {
            return;
        }
        if (!(response instanceof Response.Configs own)) {
            Response.Refused refused = Answers.refusal(response);
            result.setErrorCode(ErrorMapper.codeOf(refused.error()))
                    .setErrorMessage(refused.message())
                    .setConfigs(List.of());
            return;
        }
        Map<String, DescribeConfigsResourceResult> upstreams = new HashMap<>();
        result.configs().forEach(config -> upstreams.put(config.name(), config));
        List<DescribeConfigsResourceResult> configs = new ArrayList<>(result.configs());
        configs.removeIf(config -> GroupConfigs.isKept(config.name()));
        List<String> keys = asked.configurationKeys();
        GroupConfigs.described(own.configs().keySet()).stream()
                .filter(name -> keys == null || keys.isEmpty() || keys.contains(name))
                .forEach(name -> configs.add(config(name, own.configs(), upstreams.get(name), synonyms)));
        configs.sort(Comparator.comparing(DescribeConfigsResourceResult::name));
        result.setErrorCode(Errors.NONE.code()).setErrorMessage("").setConfigs(configs);
    }

    /**
     * One config as Kafka describes it.
     *
     * @param upstreams what upstream says of the same config, if it knows it: the documentation is taken from there
     */
    private DescribeConfigsResourceResult config(
            String name,
            SortedMap<String, String> own,
            @Nullable DescribeConfigsResourceResult upstreams,
            boolean withSynonyms) {
        String value = own.get(name);
        String standard = GroupConfigs.defaultText(name, defaults);
        List<DescribeConfigsSynonym> synonyms = new ArrayList<>();
        if (withSynonyms) {
            if (value != null) {
                synonyms.add(synonym(name, value, GROUP_CONFIG));
            }
            synonyms.add(synonym(GroupConfigs.brokerName(name), standard, DEFAULT_CONFIG));
        }
        return new DescribeConfigsResourceResult()
                .setName(name)
                .setValue(value == null ? standard : value)
                .setConfigSource(value == null ? DEFAULT_CONFIG : GROUP_CONFIG)
                .setConfigType(typeOf(name))
                .setSynonyms(synonyms)
                .setDocumentation(upstreams == null ? null : upstreams.documentation());
    }

    private static DescribeConfigsSynonym synonym(String name, String value, byte source) {
        return new DescribeConfigsSynonym().setName(name).setValue(value).setSource(source);
    }

    private static byte typeOf(String name) {
        return switch (GroupConfigs.typeOf(name)) {
            case BOOLEAN -> 1;
            case STRING -> 2;
            case INT -> 3;
            case LONG -> 5;
            case LIST -> 7;
        };
    }
}
