package io.muster.gateway.kafka.offsets;

import io.muster.core.ClaimIdentity;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.TopicPartition;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponsePartition;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * TxnOffsetCommit. Without a member's fields it could not be fenced, so versions 0 to 2 go upstream as 3; it never crosses from 4 to
 * 5 or back, since version 5 adds the partition to the transaction by itself. From version 6 on topics come by id; those without a
 * name are answered here and never sent.
 */
final class TransactionalCommit implements Commit {
    static final short FIRST_WITH_TOPIC_IDS = 6;
    private static final short FIRST_THAT_ADDS_PARTITIONS = 5;
    private static final short FIRST_WITH_MEMBER = 3;

    private final TxnOffsetCommitRequestData request;
    private final short version;
    private final short upstreamVersion;
    private final RequestTopics topics;

    /**
     * @param version the client's
     * @param upstreamMaxVersion the newest that upstream has
     * @param names of the topics that come by id
     */
    TransactionalCommit(
            TxnOffsetCommitRequestData request, short version, short upstreamMaxVersion, Map<Uuid, String> names) {
        this(
                request,
                version,
                (short) Math.min(version, upstreamMaxVersion),
                new RequestTopics(
                        version >= FIRST_WITH_TOPIC_IDS,
                        version >= FIRST_WITH_TOPIC_IDS && upstreamMaxVersion < FIRST_WITH_TOPIC_IDS,
                        names,
                        Set.of()));
    }

    private TransactionalCommit(
            TxnOffsetCommitRequestData request, short version, short upstreamVersion, RequestTopics topics) {
        this.request = request;
        this.version = version;
        this.upstreamVersion = upstreamVersion;
        this.topics = topics;
    }

    static Set<Uuid> topicIds(TxnOffsetCommitRequestData request, short version) {
        return version < FIRST_WITH_TOPIC_IDS
                ? Set.of()
                : request.topics().stream()
                        .map(TxnOffsetCommitRequestTopic::topicId)
                        .collect(Collectors.toSet());
    }

    /** Whether upstream has no version in which the request could be told. */
    boolean cannotBeTold() {
        return version >= FIRST_THAT_ADDS_PARTITIONS && upstreamVersion < FIRST_THAT_ADDS_PARTITIONS;
    }

    @Override
    public CommitCommand.Admit admission(String admissionId) {
        Set<TopicPartition> partitions = request.topics().stream()
                .filter(this::isKnown)
                .flatMap(topic -> topic.partitions().stream()
                        .map(partition -> new TopicPartition(nameOf(topic), partition.partitionIndex())))
                .filter(topics::isHeard)
                .collect(Collectors.toSet());
        return new CommitCommand.Admit(
                request.groupId(),
                admissionId,
                request.memberId(),
                request.groupInstanceId() == null ? "" : request.groupInstanceId(),
                request.generationIdOrMemberEpoch(),
                CommitCommand.Kind.TRANSACTIONAL,
                version,
                partitions);
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.TXN_OFFSET_COMMIT;
    }

    @Override
    public short versionUnderClaim() {
        return (short) Math.max(upstreamVersion, FIRST_WITH_MEMBER);
    }

    @Override
    public ApiMessage underClaim(ClaimIdentity identity) {
        return known().setMemberId(identity.memberId())
                .setGenerationIdOrMemberEpoch(identity.generation())
                .setGroupInstanceId(null);
    }

    @Override
    public short versionAsSent() {
        return upstreamVersion;
    }

    @Override
    public ApiMessage asSent() {
        return known();
    }

    @Override
    public boolean refusesClaim(ApiMessage response) {
        return ((TxnOffsetCommitResponseData) response)
                .topics().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .anyMatch(partition -> ClaimRefusals.contains(partition.errorCode()));
    }

    @Override
    public ApiMessage answer(ApiMessage response) {
        TxnOffsetCommitResponseData answer = (TxnOffsetCommitResponseData) response;
        if (topics.translated()) {
            Map<String, Uuid> ids = topics.ids();
            answer.topics().forEach(topic -> topic.setTopicId(ids.getOrDefault(topic.name(), Uuid.ZERO_UUID)));
        }
        request.topics().stream()
                .filter(topic -> !isKnown(topic))
                .forEach(topic -> answer.topics().add(refused(topic, Errors.UNKNOWN_TOPIC_ID)));
        return answer;
    }

    @Override
    public ApiMessage refusal(Errors error) {
        TxnOffsetCommitResponseData answer = new TxnOffsetCommitResponseData();
        request.topics()
                .forEach(
                        topic -> answer.topics().add(refused(topic, isKnown(topic) ? error : Errors.UNKNOWN_TOPIC_ID)));
        return answer;
    }

    @Override
    public ApiMessage refusal(Errors error, ApiMessage response) {
        TxnOffsetCommitResponseData answer = (TxnOffsetCommitResponseData) response;
        answer.topics().stream()
                .flatMap(topic -> topic.partitions().stream())
                .filter(partition -> ClaimRefusals.contains(partition.errorCode()))
                .forEach(partition -> partition.setErrorCode(error.code()));
        return answer(answer);
    }

    @Override
    public Optional<Commit> withoutUnheard(ApiMessage response) {
        Set<TopicPartition> unheard = ((TxnOffsetCommitResponseData) response)
                .topics().stream()
                        .flatMap(topic -> topic.partitions().stream()
                                .filter(partition -> !ClaimRefusals.contains(partition.errorCode()))
                                .map(partition -> new TopicPartition(nameOf(topic), partition.partitionIndex())))
                        .collect(Collectors.toSet());
        return refusesClaim(response)
                ? topics.without(unheard)
                        .map(fewer -> new TransactionalCommit(request, version, upstreamVersion, fewer))
                : Optional.empty();
    }

    private TxnOffsetCommitRequestData known() {
        TxnOffsetCommitRequestData copy = request.duplicate();
        copy.topics().removeIf(topic -> !isKnown(topic));
        if (topics.translated()) {
            copy.topics().forEach(topic -> topic.setName(nameOf(topic)).setTopicId(Uuid.ZERO_UUID));
        }
        return copy;
    }

    private boolean isKnown(TxnOffsetCommitRequestTopic topic) {
        return topics.isKnown(topic.topicId());
    }

    private String nameOf(TxnOffsetCommitRequestTopic topic) {
        return topics.nameOf(topic.topicId(), topic.name());
    }

    private String nameOf(TxnOffsetCommitResponseTopic topic) {
        return topics.translated() ? topic.name() : topics.nameOf(topic.topicId(), topic.name());
    }

    private static TxnOffsetCommitResponseTopic refused(TxnOffsetCommitRequestTopic topic, Errors error) {
        TxnOffsetCommitResponseTopic refused =
                new TxnOffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
        topic.partitions()
                .forEach(partition -> refused.partitions()
                        .add(new TxnOffsetCommitResponsePartition()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(error.code())));
        return refused;
    }
}
