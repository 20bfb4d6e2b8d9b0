package io.muster.gateway.kafka.api;

import io.muster.core.GroupCommand;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorMapper;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import io.muster.gateway.kafka.order.Concern;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResult;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResultCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** DeleteGroups: a group of Muster's is deleted there, its claim leaves, and then its offsets are deleted upstream. */
final class DeleteGroupsApi implements Api {
    private final Coordinator coordinator;

    DeleteGroupsApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DELETE_GROUPS;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        List<String> groupIds = request.body(DeleteGroupsRequestData.class).groupsNames();
        return Concern.of(Concern.Kind.WRITE, groupIds, groupIds.stream().noneMatch(coordinator::owns));
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        DeleteGroupsRequestData asked = request.body(DeleteGroupsRequestData.class);
        List<String> owned = asked.groupsNames().stream()
                .filter(coordinator::owns)
                .distinct()
                .toList();
        if (owned.isEmpty()) {
            return Route.Pass.UNREAD;
        }
        return Route.Answer.of(session.permissions().groups(owned).thenCompose(access -> {
            Map<String, Errors> refused = new HashMap<>();
            owned.forEach(id -> GroupDeletions.withheld(access.get(id)).ifPresent(error -> refused.put(id, error)));
            return delete(request, asked, owned, refused, session);
        }));
    }

    private CompletableFuture<ApiMessage> delete(
            KafkaRequest request,
            DeleteGroupsRequestData asked,
            List<String> owned,
            Map<String, Errors> refused,
            ClientSession session) {
        List<String> allowed =
                owned.stream().filter(id -> !refused.containsKey(id)).toList();
        List<CompletableFuture<Response>> deletions =
                allowed.stream().map(id -> delete(id, session, request)).toList();
        return Answers.all(deletions).thenCompose(responses -> {
            for (int i = 0; i < allowed.size(); i++) {
                if (!(responses.get(i) instanceof Response.Done)) {
                    GroupError error = Answers.refusal(responses.get(i)).error();
                    refused.put(allowed.get(i), ErrorMapper.errorOf(error));
                }
            }
            return upstream(asked, new HashSet<>(owned), refused, session.upstream());
        });
    }

    /**
     * The coordinator's answer. A young group's claim may take as long as the broker's initial rebalance delay, and cannot leave
     * before: the deletion is tried again, and a group that is gone by then was deleted by the first try.
     */
    private CompletableFuture<Response> delete(String groupId, ClientSession session, KafkaRequest request) {
        GroupCommand.Delete deletion = new GroupCommand.Delete(groupId);
        return coordinator
                .submit(deletion)
                .thenCompose(first -> OffsetRequests.passes(first)
                        ? session.ask(deletion, request)
                                .thenApply(later -> isAbsent(later) ? new Response.Done() : later)
                        : CompletableFuture.completedFuture(first));
    }

    private static boolean isAbsent(Response response) {
        return response instanceof Response.Refused refused && refused.error() == GroupError.GROUP_ID_NOT_FOUND;
    }

    private CompletableFuture<ApiMessage> upstream(
            DeleteGroupsRequestData asked, Set<String> owned, Map<String, Errors> refused, ClientUpstream upstream) {
        DeleteGroupsRequestData some = asked.duplicate();
        some.groupsNames().removeIf(refused::containsKey);
        if (some.groupsNames().isEmpty()) {
            return CompletableFuture.completedFuture(merged(new DeleteGroupsResponseData(), asked, owned, refused));
        }
        return upstream.call(key(), upstream.maxVersion(key()), some)
                .thenApply(answer -> merged((DeleteGroupsResponseData) answer, asked, owned, refused));
    }

    private static ApiMessage merged(
            DeleteGroupsResponseData answer,
            DeleteGroupsRequestData asked,
            Set<String> owned,
            Map<String, Errors> refused) {
        DeletableGroupResultCollection all = new DeletableGroupResultCollection();
        for (String id : new LinkedHashSet<>(asked.groupsNames())) {
            DeletableGroupResult result = new DeletableGroupResult().setGroupId(id);
            DeletableGroupResult upstream = answer.results().find(id);
            Errors refusal = refused.get(id);
            if (refusal != null) {
                result.setErrorCode(refusal.code());
            } else if (upstream != null && !(owned.contains(id) && isAbsent(upstream))) {
                result.setErrorCode(upstream.errorCode());
            }
            all.mustAdd(result);
        }
        return answer.setResults(all);
    }

    /** A group without offsets may leave nothing upstream. */
    private static boolean isAbsent(DeletableGroupResult upstream) {
        return upstream.errorCode() == Errors.GROUP_ID_NOT_FOUND.code();
    }
}
