package io.muster.cluster.security;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.awaitility.Awaitility;

/** Offsets that are committed within transactions. */
final class TransactionQuestions {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** The last version before a commit adds its partition to the transaction by itself. */
    private static final int VERSION = 5;

    private TransactionQuestions() {}

    static void addTo(Map<String, Question> questions) {
        questions.put("transactional commits", new Question(Requests.READER, on -> {
            InitProducerIdResponseData producer = producer(on);
            for (String group : List.of("open", "shown", "secret", "open-simple")) {
                committed(on, producer, group, "", -1);
                committed(on, producer, group, "stranger", 1);
                committed(on, producer, group, "founder", 77);
            }
        }));
        questions.put("transactional commits of another's transaction", new Question(Requests.OPERATOR, on -> {
            InitProducerIdResponseData nobody = new InitProducerIdResponseData();
            committed(on, nobody, "open", "", -1);
            committed(on, nobody, "open", "stranger", 1);
        }));
    }

    private static InitProducerIdResponseData producer(Exchange on) {
        FindCoordinatorRequestData coordinator = new FindCoordinatorRequestData()
                .setKey(Places.TRANSACTION)
                .setKeyType(FindCoordinatorRequest.CoordinatorType.TRANSACTION.id());
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> on.connection()
                                .call(ApiKeys.FIND_COORDINATOR, 3, coordinator, FindCoordinatorResponseData.class)
                                .errorCode()
                        == Errors.NONE.code());
        InitProducerIdRequestData request = new InitProducerIdRequestData()
                .setTransactionalId(Places.TRANSACTION)
                .setTransactionTimeoutMs((int) LIMIT.toMillis());
        return Awaitility.await()
                .atMost(LIMIT)
                .until(
                        () -> on.connection()
                                .call(ApiKeys.INIT_PRODUCER_ID, 4, request, InitProducerIdResponseData.class),
                        answer -> answer.errorCode() == Errors.NONE.code());
    }

    private static void committed(
            Exchange on, InitProducerIdResponseData producer, String group, String member, int epoch) {
        TxnOffsetCommitRequestData request = new TxnOffsetCommitRequestData()
                .setTransactionalId(Places.TRANSACTION)
                .setProducerId(producer.producerId())
                .setProducerEpoch(producer.producerEpoch())
                .setGroupId(group)
                .setMemberId(member)
                .setGenerationIdOrMemberEpoch(epoch)
                .setTopics(List.of("in", "shown", "secret", "absent").stream()
                        .map(topic -> new TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic()
                                .setName(topic)
                                .setPartitions(List.of(new TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition()
                                        .setCommittedOffset(1))))
                        .toList());
        on
                .connection()
                .call(ApiKeys.TXN_OFFSET_COMMIT, VERSION, request, TxnOffsetCommitResponseData.class)
                .topics()
                .stream()
                .sorted(Comparator.comparing(TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic::name))
                .forEach(topic -> on.add(
                        group + " by " + member + " of " + topic.name(),
                        topic.partitions().get(0).errorCode()));
    }
}
