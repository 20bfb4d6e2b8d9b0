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
import java.util.Set;
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
public final class OffsetDeleteApi implements Api {
    private static final short VERSION = 0;

    private final Coordinator coordinator;

    public OffsetDeleteApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.OFFSET_DELETE;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        OffsetDeleteRequestData deletion = request.body(OffsetDeleteRequestData.class);
        return Ownership.mayBeOwned(coordinator, deletion.groupId())
                ? Route.Answer.of(answer(session.offsets(), deletion))
                : Route.Pass.UNREAD;
    }

    private static CompletableFuture<ApiMessage> answer(OffsetRequests connection, OffsetDeleteRequestData request) {
        String admissionId = OffsetRequests.freshAdmissionId();
        Set<String> topics =
                request.topics().stream().map(OffsetDeleteRequestTopic::name).collect(Collectors.toSet());
        return connection
                .ask(new CommitCommand.AdmitDelete(request.groupId(), admissionId, topics))
                .thenCompose(response -> judged(connection, request, admissionId, response));
    }

    private static CompletableFuture<ApiMessage> judged(
            OffsetRequests connection, OffsetDeleteRequestData request, String admissionId, Response response) {
        if (response instanceof Response.TopicsAllowed allowed) {
            return delete(connection, request, admissionId, allowed.allowed());
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

    private static CompletableFuture<ApiMessage> delete(
            OffsetRequests connection, OffsetDeleteRequestData request, String admissionId, SortedSet<String> allowed) {
        OffsetDeleteRequestData some = request.duplicate();
        some.topics().removeIf(topic -> !allowed.contains(topic.name()));
        if (some.topics().isEmpty()) {
            return CompletableFuture.completedFuture(withRefused(new OffsetDeleteResponseData(), request, allowed));
        }
        return connection
                .upstream()
                .call(ApiKeys.OFFSET_DELETE, VERSION, some)
                .whenComplete((answer, failure) -> {
                    var unused = connection.ask(new CommitCommand.Settled(request.groupId(), admissionId, false));
                })
                .thenApply(answer -> withRefused((OffsetDeleteResponseData) answer, request, allowed));
    }

    private static ApiMessage withRefused(
            OffsetDeleteResponseData answer, OffsetDeleteRequestData request, SortedSet<String> allowed) {
        if (answer.errorCode() != Errors.NONE.code()) {
            return answer;
        }
        for (OffsetDeleteRequestTopic topic : request.topics()) {
            if (!allowed.contains(topic.name())) {
                OffsetDeleteResponseTopic refused = new OffsetDeleteResponseTopic().setName(topic.name());
                topic.partitions()
                        .forEach(partition -> refused.partitions()
                                .add(new OffsetDeleteResponsePartition()
                                        .setPartitionIndex(partition.partitionIndex())
                                        .setErrorCode(Errors.GROUP_SUBSCRIBED_TO_TOPIC.code())));
                answer.topics().add(refused);
            }
        }
        return answer;
    }
}
