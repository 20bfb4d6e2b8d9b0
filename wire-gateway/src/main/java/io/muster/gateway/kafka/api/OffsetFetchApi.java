package io.muster.gateway.kafka.api;

import io.muster.core.CommitCommand;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorMapper;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import io.muster.gateway.kafka.order.Concern;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopic;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartition;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * OffsetFetch that names a group which Muster owns: members are judged in Raft, then the offsets are read upstream without the
 * member, and only stable ones where the version can ask for that.
 */
final class OffsetFetchApi implements Api {
    private static final short FIRST_WITH_GROUPS = 8;
    private static final short FIRST_WITH_ERROR = 2;

    private static final CompletableFuture<OffsetFetchResponseData> NOTHING_ASKED =
            CompletableFuture.completedFuture(new OffsetFetchResponseData());

    private final Coordinator coordinator;

    OffsetFetchApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.OFFSET_FETCH;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        List<String> groupIds = groupIds(request);
        return Concern.of(Concern.Kind.READ, groupIds, groupIds.stream().noneMatch(this::isOwned));
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        OffsetFetchRequestData fetch = request.body(OffsetFetchRequestData.class);
        boolean concerned = groupIds(request).stream().anyMatch(this::isOwned);
        boolean passable = request.version() <= session.upstream().maxVersion(key());
        return passable && !concerned ? Route.Pass.UNREAD : Route.Answer.of(answer(session.offsets(), fetch, request));
    }

    /** An older offset than the one just committed would do harm, so nothing is fetched then. */
    @Override
    public Optional<ApiMessage> late(KafkaRequest request) throws MalformedRequestException {
        OffsetFetchRequestData fetch = request.body(OffsetFetchRequestData.class);
        short error = Errors.COORDINATOR_NOT_AVAILABLE.code();
        OffsetFetchResponseData refused = new OffsetFetchResponseData();
        if (request.version() >= FIRST_WITH_GROUPS) {
            fetch.groups().forEach(group -> refused.groups().add(refused(group.groupId(), error)));
        } else if (request.version() >= FIRST_WITH_ERROR) {
            refused.setErrorCode(error);
        } else {
            fetch.topics().forEach(topic -> refused.topics().add(refused(topic, error)));
        }
        return Optional.of(refused);
    }

    private static List<String> groupIds(KafkaRequest request) throws MalformedRequestException {
        OffsetFetchRequestData fetch = request.body(OffsetFetchRequestData.class);
        return request.version() < FIRST_WITH_GROUPS
                ? List.of(fetch.groupId())
                : fetch.groups().stream().map(OffsetFetchRequestGroup::groupId).toList();
    }

    private boolean isOwned(String groupId) {
        return Ownership.mayBeOwned(coordinator, groupId);
    }

    private CompletableFuture<ApiMessage> answer(
            OffsetRequests connection, OffsetFetchRequestData fetch, KafkaRequest request) {
        short version = request.version();
        if (version < FIRST_WITH_GROUPS) {
            return connection.upstream().call(ApiKeys.OFFSET_FETCH, version, fetch);
        }
        List<CompletableFuture<Verdict>> verdicts = fetch.groups().stream()
                .map(group -> isOwned(group.groupId())
                        ? judge(connection, group, request.deadlineNanos())
                        : CompletableFuture.completedFuture(Verdict.PASS))
                .toList();
        return Answers.all(verdicts).thenCompose(judged -> fetch(connection, fetch, version, judged));
    }

    /** What is to become of one group of the request. */
    private record Verdict(Errors error, boolean stripMember) {
        private static final Verdict PASS = new Verdict(Errors.NONE, false);
        private static final Verdict STRIP_MEMBER = new Verdict(Errors.NONE, true);

        static Verdict refuse(Errors error) {
            return new Verdict(error, false);
        }

        boolean refuses() {
            return error != Errors.NONE;
        }
    }

    private CompletableFuture<Verdict> judge(
            OffsetRequests connection, OffsetFetchRequestGroup group, long deadlineNanos) {
        if (group.memberId() == null) {
            // An epoch without a member is what Kafka has no answer for either.
            boolean senseless = group.memberEpoch() >= 0 && coordinator.owns(group.groupId());
            return CompletableFuture.completedFuture(
                    senseless ? Verdict.refuse(Errors.UNKNOWN_SERVER_ERROR) : Verdict.PASS);
        }
        if (group.memberId().isEmpty() && coordinator.owns(group.groupId())) {
            return CompletableFuture.completedFuture(Verdict.refuse(Errors.UNKNOWN_MEMBER_ID));
        }
        return connection
                .ask(
                        new CommitCommand.AdmitFetch(group.groupId(), group.memberId(), group.memberEpoch()),
                        deadlineNanos)
                .thenApply(OffsetFetchApi::verdict);
    }

    private static Verdict verdict(Response response) {
        if (response instanceof Response.Done) {
            return Verdict.STRIP_MEMBER;
        }
        if (response instanceof Response.CommitRefused refused) {
            return refused.claimed() ? Verdict.refuse(ErrorMapper.errorOf(refused.error())) : Verdict.PASS;
        }
        return Verdict.refuse(ErrorMapper.errorOf(Answers.refusal(response).error()));
    }

    /** Groups of members ask for stable offsets, the others for what the client asked for. */
    private static CompletableFuture<ApiMessage> fetch(
            OffsetRequests connection, OffsetFetchRequestData request, short version, List<Verdict> verdicts) {
        List<OffsetFetchRequestGroup> ofMembers = new ArrayList<>();
        List<OffsetFetchRequestGroup> others = new ArrayList<>();
        for (int i = 0; i < verdicts.size(); i++) {
            Verdict verdict = verdicts.get(i);
            OffsetFetchRequestGroup group = request.groups().get(i).duplicate();
            if (verdict.stripMember() || verdict.refuses()) {
                group.setMemberId(null).setMemberEpoch(-1);
            }
            if (verdict.refuses()) {
                // Whether the client may see the group at all comes first, as in Kafka.
                group.setTopics(List.of());
            }
            (verdict.stripMember() ? ofMembers : others).add(group);
        }
        CompletableFuture<OffsetFetchResponseData> membersAnswer =
                ofMembers.isEmpty() ? NOTHING_ASKED : connection.fetch(asking(ofMembers, true), version);
        CompletableFuture<OffsetFetchResponseData> othersAnswer = others.isEmpty() && !ofMembers.isEmpty()
                ? NOTHING_ASKED
                : connection.fetch(asking(others, request.requireStable()), version);
        return membersAnswer.thenCombine(
                othersAnswer, (first, second) -> merged(first, second, request.groups(), verdicts));
    }

    private static OffsetFetchRequestData asking(List<OffsetFetchRequestGroup> groups, boolean requireStable) {
        return new OffsetFetchRequestData().setGroups(groups).setRequireStable(requireStable);
    }

    /** Upstream's groups and the refused ones, in the order of the request, which may name a group more than once. */
    private static ApiMessage merged(
            OffsetFetchResponseData ofMembers,
            OffsetFetchResponseData ofOthers,
            List<OffsetFetchRequestGroup> asked,
            List<Verdict> verdicts) {
        Map<String, Deque<OffsetFetchResponseGroup>> membersLeft = byId(ofMembers);
        Map<String, Deque<OffsetFetchResponseGroup>> othersLeft = byId(ofOthers);
        List<OffsetFetchResponseGroup> all = new ArrayList<>();
        for (int i = 0; i < verdicts.size(); i++) {
            Verdict verdict = verdicts.get(i);
            String groupId = asked.get(i).groupId();
            Deque<OffsetFetchResponseGroup> left = (verdict.stripMember() ? membersLeft : othersLeft).get(groupId);
            OffsetFetchResponseGroup group = left == null ? null : left.poll();
            if (group == null) {
                group = refused(groupId, Errors.UNKNOWN_SERVER_ERROR.code());
            } else if (verdict.refuses() && group.errorCode() == Errors.NONE.code()) {
                group = refused(groupId, verdict.error().code());
            }
            all.add(group);
        }
        return ofOthers.duplicate()
                .setThrottleTimeMs(Math.max(ofMembers.throttleTimeMs(), ofOthers.throttleTimeMs()))
                .setGroups(all);
    }

    /** Each group's answers in the order in which it was asked about. */
    private static Map<String, Deque<OffsetFetchResponseGroup>> byId(OffsetFetchResponseData answer) {
        Map<String, Deque<OffsetFetchResponseGroup>> groups = new TreeMap<>();
        answer.groups()
                .forEach(group -> groups.computeIfAbsent(group.groupId(), id -> new ArrayDeque<>())
                        .add(group));
        return groups;
    }

    private static OffsetFetchResponseGroup refused(String groupId, short error) {
        return new OffsetFetchResponseGroup().setGroupId(groupId).setErrorCode(error);
    }

    private static OffsetFetchResponseTopic refused(OffsetFetchRequestTopic topic, short error) {
        return new OffsetFetchResponseTopic()
                .setName(topic.name())
                .setPartitions(topic.partitionIndexes().stream()
                        .map(index -> new OffsetFetchResponsePartition()
                                .setPartitionIndex(index)
                                .setCommittedOffset(-1)
                                .setMetadata("")
                                .setErrorCode(error))
                        .toList());
    }
}
