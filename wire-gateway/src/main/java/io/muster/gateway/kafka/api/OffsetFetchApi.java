package io.muster.gateway.kafka.api;

import io.muster.core.CommitCommand;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * OffsetFetch that names a group which Muster owns: members are judged in Raft, then the offsets are read upstream without the
 * member, and only stable ones where the version can ask for that.
 */
public final class OffsetFetchApi implements Api {
    private static final short FIRST_WITH_GROUPS = 8;
    private static final short FIRST_WITH_REQUIRE_STABLE = 7;

    private final Predicate<String> owned;

    /** @param owned whether Muster owns the group of this id */
    public OffsetFetchApi(Predicate<String> owned) {
        this.owned = owned;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.OFFSET_FETCH;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        OffsetFetchRequestData asked = request.body(OffsetFetchRequestData.class);
        boolean passable = request.version() <= session.upstream().maxVersion(key());
        boolean anyOwned = request.version() < FIRST_WITH_GROUPS
                ? owned.test(asked.groupId())
                : asked.groups().stream().map(OffsetFetchRequestGroup::groupId).anyMatch(owned);
        return passable && !anyOwned
                ? Route.Pass.UNREAD
                : Route.Answer.of(answer(session.offsets(), asked, request.version()));
    }

    /** The answer for the client, or exceptionally if its upstream connection broke. */
    public CompletableFuture<ApiMessage> answer(
            OffsetRequests connection, OffsetFetchRequestData request, short version) {
        if (version < FIRST_WITH_GROUPS) {
            return connection
                    .commitsAnswered(request.groupId())
                    .thenCompose(done -> connection.upstream().call(ApiKeys.OFFSET_FETCH, version, request));
        }
        List<CompletableFuture<Errors>> verdicts = request.groups().stream()
                .map(group -> owned.test(group.groupId())
                        ? judge(connection, group)
                        : CompletableFuture.completedFuture(Errors.NONE))
                .toList();
        return CompletableFuture.allOf(verdicts.toArray(CompletableFuture[]::new))
                .thenCompose(done -> {
                    List<Errors> errors =
                            verdicts.stream().map(CompletableFuture::join).toList();
                    return fetch(connection, request, version, errors);
                });
    }

    private static CompletableFuture<Errors> judge(OffsetRequests connection, OffsetFetchRequestGroup group) {
        return connection.commitsAnswered(group.groupId()).thenCompose(done -> judgeMember(connection, group));
    }

    private static CompletableFuture<Errors> judgeMember(OffsetRequests connection, OffsetFetchRequestGroup group) {
        if (group.memberId() == null) {
            // An epoch without a member is what Kafka has no answer for either.
            Errors error = group.memberEpoch() < 0 ? Errors.NONE : Errors.UNKNOWN_SERVER_ERROR;
            return CompletableFuture.completedFuture(error);
        }
        return connection
                .ask(new CommitCommand.AdmitFetch(group.groupId(), group.memberId(), group.memberEpoch()))
                .thenApply(OffsetFetchApi::verdict);
    }

    private static Errors verdict(Response response) {
        if (response instanceof Response.Done) {
            return Errors.NONE;
        }
        if (response instanceof Response.CommitRefused refused) {
            return refused.claimed() ? errorOf(refused.error()) : Errors.NONE;
        }
        return response instanceof Response.Refused refused
                ? errorOf(refused.error())
                : Errors.COORDINATOR_NOT_AVAILABLE;
    }

    private static Errors errorOf(GroupError error) {
        return Errors.valueOf(error.name());
    }

    private CompletableFuture<ApiMessage> fetch(
            OffsetRequests connection, OffsetFetchRequestData request, short version, List<Errors> errors) {
        OffsetFetchRequestData some = request.duplicate();
        List<OffsetFetchRequestGroup> groups = new ArrayList<>();
        for (int i = 0; i < errors.size(); i++) {
            if (errors.get(i) == Errors.NONE) {
                groups.add(prepared(some, some.groups().get(i), version));
            }
        }
        some.setGroups(groups);
        if (groups.isEmpty()) {
            return CompletableFuture.completedFuture(merged(new OffsetFetchResponseData(), request, errors));
        }
        short upstreamVersion = (short) Math.min(version, connection.upstream().maxVersion(ApiKeys.OFFSET_FETCH));
        return connection
                .upstream()
                .call(ApiKeys.OFFSET_FETCH, upstreamVersion, some)
                .thenApply(answer -> merged((OffsetFetchResponseData) answer, request, errors));
    }

    private OffsetFetchRequestGroup prepared(
            OffsetFetchRequestData request, OffsetFetchRequestGroup group, short version) {
        if (!owned.test(group.groupId())) {
            return group;
        }
        if (group.memberId() != null && version >= FIRST_WITH_REQUIRE_STABLE) {
            request.setRequireStable(true);
        }
        return group.setMemberId(null).setMemberEpoch(-1);
    }

    /** Upstream's groups and the refused ones, in the order of the request. */
    private static ApiMessage merged(
            OffsetFetchResponseData answer, OffsetFetchRequestData request, List<Errors> errors) {
        Map<String, OffsetFetchResponseGroup> answered = new TreeMap<>();
        answer.groups().forEach(group -> answered.put(group.groupId(), group));
        List<OffsetFetchResponseGroup> all = new ArrayList<>();
        for (int i = 0; i < errors.size(); i++) {
            String groupId = request.groups().get(i).groupId();
            OffsetFetchResponseGroup group = answered.get(groupId);
            if (errors.get(i) != Errors.NONE || group == null) {
                Errors error = errors.get(i) == Errors.NONE ? Errors.UNKNOWN_SERVER_ERROR : errors.get(i);
                group = new OffsetFetchResponseGroup().setGroupId(groupId).setErrorCode(error.code());
            }
            all.add(group);
        }
        return answer.setGroups(all);
    }
}
