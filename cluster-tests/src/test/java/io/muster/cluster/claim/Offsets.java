package io.muster.cluster.claim;

import io.muster.cluster.kafka.RawKafka;
import io.muster.core.ClaimIdentity;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddOffsetsToTxnResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;

/** Commits and fetches offsets of partition 0 of one topic, word by word. */
final class Offsets {
    static final String TOPIC = "t";

    private final RawKafka broker;

    Offsets(RawKafka broker) {
        this.broker = broker;
    }

    /** A transactional producer with an open transaction that the group's offsets belong to. */
    record Transaction(String id, long producerId, short producerEpoch) {}

    void createTopic() {
        CreatableTopicCollection topics = new CreatableTopicCollection();
        topics.add(new CreatableTopic().setName(TOPIC).setNumPartitions(1).setReplicationFactor((short) 1));
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTopics(topics);
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            Errors error = Errors.forCode(
                    broker.call(ApiKeys.CREATE_TOPICS, 5, request, CreateTopicsResponseData.class).topics().stream()
                            .findFirst()
                            .orElseThrow()
                            .errorCode());
            return error == Errors.NONE || error == Errors.TOPIC_ALREADY_EXISTS;
        });
    }

    Errors commit(String groupId, ClaimIdentity identity, long offset) {
        OffsetCommitRequestData request = new OffsetCommitRequestData()
                .setGroupId(groupId)
                .setMemberId(identity.memberId())
                .setGenerationIdOrMemberEpoch(identity.generation())
                .setTopics(List.of(new OffsetCommitRequestTopic()
                        .setName(TOPIC)
                        .setPartitions(List.of(new OffsetCommitRequestPartition().setCommittedOffset(offset)))));
        OffsetCommitResponseData response =
                broker.call(ApiKeys.OFFSET_COMMIT, 8, request, OffsetCommitResponseData.class);
        return Errors.forCode(response.topics().get(0).partitions().get(0).errorCode());
    }

    Errors commitWithoutMember(String groupId, long offset) {
        return commit(groupId, new ClaimIdentity("", -1), offset);
    }

    Transaction begin(String transactionalId, String groupId) {
        InitProducerIdRequestData request = new InitProducerIdRequestData()
                .setTransactionalId(transactionalId)
                .setTransactionTimeoutMs(60_000);
        findCoordinator(transactionalId);
        InitProducerIdResponseData producer = Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> broker.call(ApiKeys.INIT_PRODUCER_ID, 4, request, InitProducerIdResponseData.class),
                        response -> response.errorCode() == Errors.NONE.code());
        AddOffsetsToTxnRequestData add = new AddOffsetsToTxnRequestData()
                .setTransactionalId(transactionalId)
                .setProducerId(producer.producerId())
                .setProducerEpoch(producer.producerEpoch())
                .setGroupId(groupId);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(
                        () -> broker.call(ApiKeys.ADD_OFFSETS_TO_TXN, 3, add, AddOffsetsToTxnResponseData.class)
                                .errorCode(),
                        code -> code == Errors.NONE.code());
        return new Transaction(transactionalId, producer.producerId(), producer.producerEpoch());
    }

    /** Has the broker create its internal topic of transactions, if it is the first one. */
    private void findCoordinator(String transactionalId) {
        FindCoordinatorRequestData request =
                new FindCoordinatorRequestData().setKey(transactionalId).setKeyType((byte) 1);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(
                        () -> broker.call(ApiKeys.FIND_COORDINATOR, 3, request, FindCoordinatorResponseData.class)
                                .errorCode(),
                        code -> code == Errors.NONE.code());
    }

    /** @param version 3 or 4, the versions that Muster sends without a member of the client's own */
    Errors commit(Transaction transaction, String groupId, ClaimIdentity identity, long offset, int version) {
        TxnOffsetCommitRequestData request = new TxnOffsetCommitRequestData()
                .setTransactionalId(transaction.id())
                .setProducerId(transaction.producerId())
                .setProducerEpoch(transaction.producerEpoch())
                .setGroupId(groupId)
                .setMemberId(identity.memberId())
                .setGenerationIdOrMemberEpoch(identity.generation())
                .setTopics(List.of(new TxnOffsetCommitRequestTopic()
                        .setName(TOPIC)
                        .setPartitions(List.of(new TxnOffsetCommitRequestPartition().setCommittedOffset(offset)))));
        TxnOffsetCommitResponseData response =
                broker.call(ApiKeys.TXN_OFFSET_COMMIT, version, request, TxnOffsetCommitResponseData.class);
        return Errors.forCode(response.topics().get(0).partitions().get(0).errorCode());
    }

    void end(Transaction transaction) {
        EndTxnRequestData request = new EndTxnRequestData()
                .setTransactionalId(transaction.id())
                .setProducerId(transaction.producerId())
                .setProducerEpoch(transaction.producerEpoch())
                .setCommitted(true);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(
                        () -> broker.call(ApiKeys.END_TXN, 3, request, EndTxnResponseData.class)
                                .errorCode(),
                        code -> code == Errors.NONE.code());
    }

    /** The stable committed offset, -1 if there is none. */
    long fetch(String groupId) {
        OffsetFetchRequestData request = new OffsetFetchRequestData()
                .setRequireStable(true)
                .setGroups(List.of(new OffsetFetchRequestGroup()
                        .setGroupId(groupId)
                        .setTopics(List.of(
                                new OffsetFetchRequestTopics().setName(TOPIC).setPartitionIndexes(List.of(0))))));
        return Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(
                        () -> broker.call(ApiKeys.OFFSET_FETCH, 8, request, OffsetFetchResponseData.class)
                                .groups()
                                .get(0),
                        group -> group.errorCode() == Errors.NONE.code()
                                && group.topics().get(0).partitions().get(0).errorCode() == Errors.NONE.code())
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .committedOffset();
    }
}
