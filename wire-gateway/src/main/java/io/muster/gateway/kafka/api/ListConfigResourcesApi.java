package io.muster.gateway.kafka.api;

import io.muster.core.GroupCommand;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.runtime.GroupSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** ListConfigResources: upstream's resources and the groups whose configs Muster keeps. */
final class ListConfigResourcesApi implements Api {
    private static final short FIRST_WITH_TYPES = 1;
    private static final ListConfigResourcesResponseData UNAVAILABLE =
            new ListConfigResourcesResponseData().setErrorCode(Errors.COORDINATOR_NOT_AVAILABLE.code());

    private final Coordinator coordinator;

    ListConfigResourcesApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.LIST_CONFIG_RESOURCES;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        ListConfigResourcesRequestData asked = request.body(ListConfigResourcesRequestData.class);
        short lowered = (short) Math.min(request.version(), session.upstream().maxVersion(key()));
        boolean groups = request.version() >= FIRST_WITH_TYPES
                && (asked.resourceTypes().isEmpty() || asked.resourceTypes().contains(GroupConfigChanges.GROUP));
        if (!groups && lowered == request.version()) {
            return Route.Pass.UNREAD;
        }
        return Route.Answer.of(upstream(asked, lowered, session)
                .thenCompose(upstream -> groups && upstream.errorCode() == Errors.NONE.code()
                        ? withOwn(upstream, request, session)
                        : CompletableFuture.completedFuture(upstream)));
    }

    /** An older upstream lists client metrics only; one that is not asked for anything says what the client may do. */
    private CompletableFuture<ListConfigResourcesResponseData> upstream(
            ListConfigResourcesRequestData asked, short version, ClientSession session) {
        byte metrics = ConfigResource.Type.CLIENT_METRICS.id();
        boolean wanted = version >= FIRST_WITH_TYPES
                || asked.resourceTypes().isEmpty()
                || asked.resourceTypes().contains(metrics);
        if (version < 0 || !wanted) {
            return session.permissions()
                    .mayOnCluster(AclOperation.DESCRIBE_CONFIGS)
                    .thenApply(may -> new ListConfigResourcesResponseData()
                            .setErrorCode((may ? Errors.NONE : Errors.CLUSTER_AUTHORIZATION_FAILED).code()));
        }
        ListConfigResourcesRequestData some =
                version >= FIRST_WITH_TYPES ? asked : new ListConfigResourcesRequestData();
        return session.upstream().call(key(), version, some).thenApply(ListConfigResourcesResponseData.class::cast);
    }

    private CompletableFuture<ApiMessage> withOwn(
            ListConfigResourcesResponseData upstream, KafkaRequest request, ClientSession session) {
        return coordinator.listGroups().thenCompose(listed -> {
            if (!listed.complete()) {
                return CompletableFuture.completedFuture(UNAVAILABLE.duplicate());
            }
            List<String> ids =
                    listed.groups().stream().map(GroupSummary::groupId).toList();
            return Answers.all(ids.stream()
                            .map(id -> session.ask(new GroupCommand.DescribeConfigs(id), request))
                            .toList())
                    .thenApply(responses -> {
                        if (responses.stream().anyMatch(Response.Refused.class::isInstance)) {
                            return UNAVAILABLE.duplicate();
                        }
                        List<String> configured = new ArrayList<>();
                        for (int i = 0; i < ids.size(); i++) {
                            if (responses.get(i) instanceof Response.Configs own
                                    && !own.configs().isEmpty()) {
                                configured.add(ids.get(i));
                            }
                        }
                        return merged(upstream, configured);
                    });
        });
    }

    private static ApiMessage merged(ListConfigResourcesResponseData upstream, List<String> groups) {
        byte type = GroupConfigChanges.GROUP;
        for (String group : groups) {
            boolean listed = upstream.configResources().stream()
                    .anyMatch(one ->
                            one.resourceType() == type && one.resourceName().equals(group));
            if (!listed) {
                upstream.configResources()
                        .add(new ListConfigResourcesResponseData.ConfigResource()
                                .setResourceType(type)
                                .setResourceName(group));
            }
        }
        return upstream;
    }
}
