package io.muster.gateway.kafka.offsets;

import io.muster.core.ClaimIdentity;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.TopicPartition;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.Errors;

/**
 * One client's request to commit offsets, plain or transactional. Topics that come by an id whose name the gateway does not find are
 * never sent under the claim, since the coordinator could not judge them.
 */
final class Commit {
    /** An identity that upstream takes from nobody: what is sent under it stores nothing. */
    static final ClaimIdentity NOBODY = new ClaimIdentity("muster-refused-it", Integer.MAX_VALUE);

    private final CommitMessages messages;
    private final OffsetCommitRequestData request;
    private final RequestTopics topics;

    /** @param names of the topics that come by id, as far as the client may see them */
    Commit(CommitMessages messages, Map<Uuid, String> names) {
        this(
                messages,
                messages.request(),
                new RequestTopics(messages.isByTopicId(), messages.isTranslated(), names, Set.of()));
    }

    private Commit(CommitMessages messages, OffsetCommitRequestData request, RequestTopics topics) {
        this.messages = messages;
        this.request = request;
        this.topics = topics;
    }

    /** The topics that come by id. */
    static Set<Uuid> topicIds(CommitMessages messages) {
        return messages.isByTopicId()
                ? messages.request().topics().stream()
                        .map(OffsetCommitRequestTopic::topicId)
                        .collect(Collectors.toSet())
                : Set.of();
    }

    String groupId() {
        return request.groupId();
    }

    CommitCommand.Admit admission(CommitCommand.Connection connection, String admissionId) {
        Set<TopicPartition> partitions = request.topics().stream()
                .filter(this::isKnown)
                .flatMap(topic -> topic.partitions().stream()
                        .map(partition -> new TopicPartition(
                                topics.nameOf(topic.topicId(), topic.name()), partition.partitionIndex())))
                .filter(topics::isHeard)
                .collect(Collectors.toSet());
        return new CommitCommand.Admit(
                request.groupId(),
                admissionId,
                connection,
                new CommitCommand.Committer(
                        request.memberId(),
                        request.groupInstanceId() == null ? "" : request.groupInstanceId(),
                        request.generationIdOrMemberEpoch()),
                messages.kind(),
                messages.version(),
                partitions);
    }

    /** Sends it with the claim's member id and generation in place of the member's own, and never an instance id. */
    CompletableFuture<OffsetCommitResponseData> sendAs(ClaimIdentity identity, ClientUpstream upstream) {
        return send(known(), identity, upstream);
    }

    /** Sends it as the client said it. */
    CompletableFuture<OffsetCommitResponseData> sendAsItIs(ClientUpstream upstream) {
        OffsetCommitRequestData same = topics.translated() ? known() : request.duplicate();
        return upstream.call(messages.api(), messages.upstreamVersion(), messages.toUpstream(same))
                .thenApply(messages::fromUpstream);
    }

    private CompletableFuture<OffsetCommitResponseData> send(
            OffsetCommitRequestData some, ClaimIdentity identity, ClientUpstream upstream) {
        some.setMemberId(identity.memberId())
                .setGenerationIdOrMemberEpoch(identity.generation())
                .setGroupInstanceId(null);
        return upstream.call(messages.api(), messages.versionUnderClaim(), messages.toUpstream(some))
                .thenApply(messages::fromUpstream);
    }

    /** Whether upstream refused the claim's identity rather than the commit. */
    static boolean refusesClaim(OffsetCommitResponseData response) {
        return response.topics().stream()
                .flatMap(topic -> topic.partitions().stream())
                .anyMatch(partition -> ClaimRefusals.contains(partition.errorCode()));
    }

    /** Upstream's answer as the client is to see it. */
    OffsetCommitResponseData answer(OffsetCommitResponseData response) {
        if (topics.translated()) {
            Map<String, Uuid> ids = topics.ids();
            response.topics().forEach(topic -> topic.setTopicId(ids.getOrDefault(topic.name(), Uuid.ZERO_UUID)));
        }
        return response;
    }

    /** The answer that refuses every partition of the topics that have a name. */
    OffsetCommitResponseData refusal(Errors error) {
        return refusal(request.duplicate().setTopics(named()), error);
    }

    /** The answer that refuses every partition. */
    static OffsetCommitResponseData refusal(OffsetCommitRequestData request, Errors error) {
        OffsetCommitResponseData answer = new OffsetCommitResponseData();
        request.topics().forEach(topic -> answer.topics().add(refused(topic, error)));
        return answer;
    }

    /** Upstream's answer to the request of {@link #NOBODY}, with this error wherever nothing but the identity was refused. */
    OffsetCommitResponseData refusal(Errors error, OffsetCommitResponseData response) {
        return answer(instead(error, response));
    }

    private static OffsetCommitResponseData instead(Errors error, OffsetCommitResponseData response) {
        response.topics().stream()
                .flatMap(topic -> topic.partitions().stream())
                .filter(partition -> ClaimRefusals.contains(partition.errorCode()))
                .forEach(partition -> partition.setErrorCode(error.code()));
        return response;
    }

    /**
     * The commit without those partitions that upstream refused {@link #NOBODY} for another reason than its identity, which the
     * coordinator does not judge then; empty if there are none, or no others.
     */
    Optional<Commit> withoutUnheard(OffsetCommitResponseData response) {
        Set<TopicPartition> unheard = response.topics().stream()
                .flatMap(topic -> topic.partitions().stream()
                        .filter(partition -> !ClaimRefusals.contains(partition.errorCode()))
                        .map(partition -> new TopicPartition(nameOf(topic), partition.partitionIndex())))
                .collect(Collectors.toSet());
        return refusesClaim(response)
                ? topics.without(unheard).map(fewer -> new Commit(messages, request, fewer))
                : Optional.empty();
    }

    /**
     * The answer with what is to be said of the topics without a name: what upstream says to {@link #NOBODY} if it knows ids (the
     * topic may be there, and the client may not see it), else UNKNOWN_TOPIC_ID.
     */
    CompletableFuture<OffsetCommitResponseData> whole(OffsetCommitResponseData answer, ClientUpstream upstream) {
        Set<Uuid> answered =
                answer.topics().stream().map(OffsetCommitResponseTopic::topicId).collect(Collectors.toSet());
        List<OffsetCommitRequestTopic> unnamed = request.topics().stream()
                .filter(topic -> !isKnown(topic) && !answered.contains(topic.topicId()))
                .toList();
        if (unnamed.isEmpty() || topics.translated()) {
            answer.topics().addAll(unknown(unnamed));
            return CompletableFuture.completedFuture(answer);
        }
        return send(request.duplicate().setTopics(unnamed), NOBODY, upstream).thenApply(response -> {
            answer.topics().addAll(instead(Errors.UNKNOWN_TOPIC_ID, response).topics());
            return answer;
        });
    }

    /** As in Kafka one entry for each id, however often the request names it. */
    private static Collection<OffsetCommitResponseTopic> unknown(List<OffsetCommitRequestTopic> unnamed) {
        Map<Uuid, OffsetCommitResponseTopic> unknown = new LinkedHashMap<>();
        unnamed.forEach(topic ->
                unknown.merge(topic.topicId(), refused(topic, Errors.UNKNOWN_TOPIC_ID), (before, more) -> {
                    before.partitions().addAll(more.partitions());
                    return before;
                }));
        return unknown.values();
    }

    private OffsetCommitRequestData known() {
        OffsetCommitRequestData copy = request.duplicate().setTopics(named());
        if (topics.translated()) {
            copy.topics()
                    .forEach(topic -> topic.setName(topics.nameOf(topic.topicId(), topic.name()))
                            .setTopicId(Uuid.ZERO_UUID));
        }
        return copy;
    }

    private List<OffsetCommitRequestTopic> named() {
        return request.duplicate().topics().stream().filter(this::isKnown).toList();
    }

    private boolean isKnown(OffsetCommitRequestTopic topic) {
        return topics.isKnown(topic.topicId());
    }

    private String nameOf(OffsetCommitResponseTopic topic) {
        return topics.translated() ? topic.name() : topics.nameOf(topic.topicId(), topic.name());
    }

    private static OffsetCommitResponseTopic refused(OffsetCommitRequestTopic topic, Errors error) {
        OffsetCommitResponseTopic refused =
                new OffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
        topic.partitions()
                .forEach(partition -> refused.partitions()
                        .add(new OffsetCommitResponsePartition()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(error.code())));
        return refused;
    }
}
