package io.muster.gateway.kafka.api;

import io.muster.core.CommitCommand;
import io.muster.core.GroupError;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetDeleteResponseData.OffsetDeleteResponsePartition;
import org.apache.kafka.common.message.OffsetDeleteResponseData.OffsetDeleteResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * OffsetDelete for a group that Muster owns: topics that its members consume are refused; for the others the claim steps aside,
 * since upstream deletes no offset under it, and comes back afterwards.
 */
final class OffsetDeleteApi implements Api {
    private static final short VERSION = 0;

    private final Coordinator coordinator;

    OffsetDeleteApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.OFFSET_DELETE;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        String groupId = request.body(OffsetDeleteRequestData.class).groupId();
        return Concern.of(Concern.Kind.WRITE, groupId, !Ownership.mayBeOwned(coordinator, groupId));
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        OffsetDeleteRequestData deletion = request.body(OffsetDeleteRequestData.class);
        return Ownership.mayBeOwned(coordinator, deletion.groupId())
                ? Route.Answer.of(answer(session, deletion, request.deadlineNanos()))
                : Route.Pass.UNREAD;
    }

    /** What the client may not delete is found out first, so that the claim steps aside for nothing else. */
    private static CompletableFuture<ApiMessage> answer(
            ClientSession session, OffsetDeleteRequestData request, long deadlineNanos) {
        return session.permissions().groups(List.of(request.groupId())).thenCompose(groups -> {
            Optional<Errors> withheld = GroupDeletions.withheld(groups.get(request.groupId()));
            if (withheld.isPresent()) {
                return CompletableFuture.completedFuture(new OffsetDeleteResponseData()
                        .setErrorCode(withheld.get().code()));
            }
            List<String> names = request.topics().stream()
                    .map(OffsetDeleteRequestTopic::name)
                    .toList();
            return session.permissions()
                    .readErrors(names)
                    .thenCompose(errors -> withoutRefused(session, request, errors, deadlineNanos));
        });
    }

    private static CompletableFuture<ApiMessage> withoutRefused(
            ClientSession session,
            OffsetDeleteRequestData request,
            SortedMap<String, Errors> errors,
            long deadlineNanos) {
        OffsetDeleteRequestData readable = request.duplicate();
        readable.topics().removeIf(topic -> errors.containsKey(topic.name()));
        CompletableFuture<ApiMessage> answer =
                readable.topics().isEmpty() && !request.topics().isEmpty()
                        ? CompletableFuture.completedFuture(new OffsetDeleteResponseData())
                        : admitted(session, readable, deadlineNanos);
        return answer.thenApply(message -> {
            OffsetDeleteResponseData all = (OffsetDeleteResponseData) message;
            if (all.errorCode() == Errors.NONE.code()) {
                request.topics().stream()
                        .filter(topic -> errors.containsKey(topic.name())
                                && !topic.partitions().isEmpty())
                        .forEach(topic ->
                                all.topics().add(refused(topic, errors.getOrDefault(topic.name(), Errors.NONE))));
            }
            return all;
        });
    }

    private static CompletableFuture<ApiMessage> admitted(
            ClientSession session, OffsetDeleteRequestData request, long deadlineNanos) {
        String admissionId = OffsetRequests.freshAdmissionId();
        Set<String> topics =
                request.topics().stream().map(OffsetDeleteRequestTopic::name).collect(Collectors.toSet());
        return session.offsets()
                .ask(new CommitCommand.AdmitDelete(request.groupId(), admissionId, topics), deadlineNanos)
                .thenCompose(response -> judged(session, request, admissionId, response));
    }

    private static CompletableFuture<ApiMessage> judged(
            ClientSession session, OffsetDeleteRequestData request, String admissionId, Response response) {
        OffsetRequests connection = session.offsets();
        if (response instanceof Response.TopicsAllowed allowed) {
            return delete(connection, request, admissionId, allowed.allowed())
                    .thenApply(answer -> withSubscribed(answer, request, allowed.allowed()));
        }
        if (response instanceof Response.CommitRefused refused && !refused.claimed()) {
            return connection.upstream().call(ApiKeys.OFFSET_DELETE, VERSION, request);
        }
        GroupError error = response instanceof Response.CommitRefused refused
                ? refused.error()
                : response instanceof Response.Refused other ? other.error() : GroupError.COORDINATOR_NOT_AVAILABLE;
        return CompletableFuture.completedFuture(
                new OffsetDeleteResponseData().setErrorCode(ErrorMapper.codeOf(error)));
    }

    private static CompletableFuture<OffsetDeleteResponseData> delete(
            OffsetRequests connection, OffsetDeleteRequestData request, String admissionId, SortedSet<String> allowed) {
        OffsetDeleteRequestData some = request.duplicate();
        some.topics().removeIf(topic -> !allowed.contains(topic.name()));
        if (some.topics().isEmpty()) {
            return CompletableFuture.completedFuture(new OffsetDeleteResponseData());
        }
        return connection
                .upstream()
                .call(ApiKeys.OFFSET_DELETE, VERSION, some)
                .whenComplete((answer, failure) -> connection.settled(request.groupId(), admissionId))
                .thenApply(OffsetDeleteResponseData.class::cast);
    }

    /** Adds the topics that members consume. */
    private static OffsetDeleteResponseData withSubscribed(
            OffsetDeleteResponseData answer, OffsetDeleteRequestData request, SortedSet<String> allowed) {
        if (answer.errorCode() == Errors.NONE.code()) {
            request.topics().stream()
                    .filter(topic -> !allowed.contains(topic.name())
                            && !topic.partitions().isEmpty())
                    .forEach(topic -> answer.topics().add(refused(topic, Errors.GROUP_SUBSCRIBED_TO_TOPIC)));
        }
        return answer;
    }

    private static OffsetDeleteResponseTopic refused(OffsetDeleteRequestTopic topic, Errors error) {
        OffsetDeleteResponseTopic refused = new OffsetDeleteResponseTopic().setName(topic.name());
        topic.partitions()
                .forEach(partition -> refused.partitions()
                        .add(new OffsetDeleteResponsePartition()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(error.code())));
        return refused;
    }
}
