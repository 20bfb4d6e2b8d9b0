package io.muster.gateway.kafka.offsets;

import io.muster.core.ClaimIdentity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** One group upstream with its one partition: takes commits of the claim's current identity, in the order in which they came. */
final class UpstreamGroup implements ClientUpstream {
    private record Waiting(short version, ApiMessage request, CompletableFuture<ApiMessage> answer) {}

    final List<Long> stored = new ArrayList<>();
    final List<Short> versions = new ArrayList<>();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private Optional<ClaimIdentity> identity = Optional.empty();
    private final Map<Integer, Errors> refused = new HashMap<>();
    private short maxVersion = 9;

    void claimedAs(ClaimIdentity next) {
        identity = Optional.of(next);
    }

    void knowsUpTo(int version) {
        maxVersion = (short) version;
    }

    /** Answers this for a partition, whoever asks. */
    void refuses(int partition, Errors error) {
        refused.put(partition, error);
    }

    int unanswered() {
        return waiting.size();
    }

    /** Answers the first request that is not answered yet. */
    void answerOne() {
        Waiting next = waiting.remove();
        OffsetCommitRequestData request = (OffsetCommitRequestData) next.request();
        boolean known = identity.map(current -> current.memberId().equals(request.memberId())
                        && current.generation() == request.generationIdOrMemberEpoch()
                        && request.groupInstanceId() == null)
                .orElse(request.memberId().isEmpty());
        if (known) {
            stored.add(request.topics().get(0).partitions().get(0).committedOffset());
        }
        versions.add(next.version());
        next.answer().complete(answer(request, known ? Errors.NONE : Errors.UNKNOWN_MEMBER_ID));
    }

    void answerAll() {
        while (!waiting.isEmpty()) {
            answerOne();
        }
    }

    void breakConnection() {
        waiting.forEach(each -> each.answer().completeExceptionally(new IllegalStateException("connection broke")));
        waiting.clear();
    }

    @Override
    public CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request) {
        Waiting next = new Waiting(version, request, new CompletableFuture<>());
        waiting.add(next);
        return next.answer();
    }

    @Override
    public short maxVersion(ApiKeys api) {
        return maxVersion;
    }

    private OffsetCommitResponseData answer(OffsetCommitRequestData request, Errors error) {
        OffsetCommitResponseData answer = new OffsetCommitResponseData();
        request.topics()
                .forEach(topic -> answer.topics()
                        .add(new OffsetCommitResponseTopic()
                                .setName(topic.name())
                                .setTopicId(topic.topicId())
                                .setPartitions(topic.partitions().stream()
                                        .map(partition -> new OffsetCommitResponsePartition()
                                                .setPartitionIndex(partition.partitionIndex())
                                                .setErrorCode(refused.getOrDefault(partition.partitionIndex(), error)
                                                        .code()))
                                        .toList())));
        return answer;
    }
}
