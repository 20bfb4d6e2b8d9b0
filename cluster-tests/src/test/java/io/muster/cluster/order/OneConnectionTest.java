package io.muster.cluster.order;

import static io.muster.cluster.order.GroupConnection.JOIN;
import static io.muster.cluster.order.GroupConnection.LEAVE;
import static io.muster.cluster.order.GroupConnection.LEAVE_FOR_A_WHILE;
import static io.muster.cluster.order.GroupConnection.errorOf;
import static io.muster.cluster.order.GroupConnection.offsetIn;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.RawKafka;
import io.muster.cluster.kafka.RawKafka.Sending;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests that one client sends without waiting for answers, and then perhaps without waiting at all. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class OneConnectionTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int ROUNDS = 5;
    private static final String SOON = """
            coordinator:
              streams:
                initialRebalanceDelay: 0ms
            """;

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    private MusterCluster muster;
    private OrdinaryClients clients;
    private int names;

    @BeforeAll
    void start() throws Exception {
        muster = MusterCluster.startOne(KAFKA.brokers(), SOON);
        clients = new OrdinaryClients(KAFKA.brokers().bootstrap(), muster.bootstrap());
        try (GroupConnection first = connection()) {
            var unused = first.join("m");
        }
    }

    @AfterAll
    void stop() {
        clients.close();
        muster.close();
    }

    @Test
    void leaveBehindAJoin_leavesNobody() throws Exception {
        try (GroupConnection connection = connection()) {
            for (int i = 0; i < ROUNDS; i++) {
                // When
                List<ApiMessage> answers = connection.callTogether(
                        connection.heartbeat("m" + i, JOIN), connection.heartbeat("m" + i, LEAVE));

                // Then
                assertThat(answers).extracting(GroupConnection::errorOf).containsOnly(Errors.NONE);
            }
            assertThat(connection.members()).isZero();
        }
    }

    @Test
    void leaveBehindAJoin_ofAStreamsInstance_leavesNobody() throws Exception {
        try (GroupConnection connection = connection()) {
            for (int i = 0; i < ROUNDS; i++) {
                // When
                List<ApiMessage> answers = connection.callTogether(
                        connection.streamsHeartbeat("m" + i, JOIN), connection.streamsHeartbeat("m" + i, LEAVE));

                // Then
                assertThat(answers).extracting(GroupConnection::errorOf).containsOnly(Errors.NONE);
            }
            assertThat(connection.streamsMembers()).isZero();
        }
    }

    @Test
    void leaveBehindACommit_ofATopicThatTheGatewayDoesNotKnow_losesNothing() throws Exception {
        try (GroupConnection connection = connection()) {
            // Given
            int epoch = connection.join("m");

            // When
            List<ApiMessage> answers =
                    connection.callTogether(connection.commitById("m", epoch, 7), connection.heartbeat("m", LEAVE));

            // Then
            assertThat(answers).extracting(GroupConnection::errorOf).containsOnly(Errors.NONE);
            assertThat(connection.committed()).isEqualTo(7);
            assertThat(connection.members()).isZero();
        }
    }

    @Test
    void leaveBehindACommit_ofAStaticMember_losesNothing() throws Exception {
        try (GroupConnection connection = connection()) {
            // Given
            int epoch = connection.join(connection.heartbeat("m", JOIN, "i1"));

            // When
            List<ApiMessage> answers = connection.callTogether(
                    connection.commitById("m", epoch, 7), connection.heartbeat("m", LEAVE_FOR_A_WHILE, "i1"));

            // Then
            assertThat(answers).extracting(GroupConnection::errorOf).containsOnly(Errors.NONE);
            assertThat(connection.committed()).isEqualTo(7);
        }
    }

    @Test
    void leaveBehindACommit_ofAStreamsInstance_losesNothing() throws Exception {
        try (GroupConnection connection = connection()) {
            // Given
            int epoch = connection.join(connection.streamsHeartbeat("m", JOIN));

            // When
            List<ApiMessage> answers = connection.callTogether(
                    connection.commitById("m", epoch, 7), connection.streamsHeartbeat("m", LEAVE));

            // Then
            assertThat(answers).extracting(GroupConnection::errorOf).containsOnly(Errors.NONE);
            assertThat(connection.committed()).isEqualTo(7);
        }
    }

    @Test
    void fetches_betweenCommits_seeThoseBeforeThem() throws Exception {
        try (GroupConnection connection = connection()) {
            // Given
            int epoch = connection.join("m");

            // When
            List<ApiMessage> answers = connection.callTogether(
                    connection.commitById("m", epoch, 7),
                    connection.fetch(),
                    connection.commitByName("m", epoch, 8),
                    connection.fetch());

            // Then
            assertThat(offsetIn(answers.get(1))).isEqualTo(7);
            assertThat(offsetIn(answers.get(3))).isEqualTo(8);
        }
    }

    @Test
    void commitBehindTheJoinThatFoundsTheGroup_isTheMembers() throws Exception {
        try (GroupConnection connection = connection()) {
            // When
            List<ApiMessage> answers =
                    connection.callTogether(connection.heartbeat("m", JOIN), connection.commitByName("m", 2, 7));

            // Then
            assertThat(answers).extracting(GroupConnection::errorOf).containsOnly(Errors.NONE);
            assertThat(connection.committed()).isEqualTo(7);
        }
    }

    @Test
    void joinBehindACommitOfNoMember_findsItStored() throws Exception {
        try (GroupConnection connection = connection()) {
            // When
            List<ApiMessage> answers =
                    connection.callTogether(connection.commitByName("", -1, 7), connection.heartbeat("m", JOIN));

            // Then
            assertThat(answers).extracting(GroupConnection::errorOf).containsOnly(Errors.NONE);
            assertThat(connection.committed()).isEqualTo(7);
        }
    }

    @Test
    void deletionOfOffsets_behindACommit_deletesIt() throws Exception {
        try (GroupConnection connection = connection()) {
            // Given
            foundAndLeave(connection);
            OffsetDeleteRequestData deletion = new OffsetDeleteRequestData().setGroupId(connection.group());
            deletion.topics()
                    .add(new OffsetDeleteRequestTopic()
                            .setName(connection.topic())
                            .setPartitions(List.of(new OffsetDeleteRequestPartition().setPartitionIndex(0))));

            // When
            List<ApiMessage> answers = connection.callTogether(
                    connection.commitById("", -1, 7),
                    new Sending(ApiKeys.OFFSET_DELETE, 0, deletion),
                    connection.fetch());

            // Then
            assertThat(errorOf(answers.get(0))).isEqualTo(Errors.NONE);
            assertThat(offsetIn(answers.get(2))).isEqualTo(-1);
        }
    }

    @Test
    void deletionOfTheGroup_behindACommit_deletesIt() throws Exception {
        try (GroupConnection connection = connection()) {
            // Given
            foundAndLeave(connection);
            DeleteGroupsRequestData deletion =
                    new DeleteGroupsRequestData().setGroupsNames(List.of(connection.group()));

            // When
            List<ApiMessage> answers = connection.callTogether(
                    connection.commitById("", -1, 7),
                    new Sending(ApiKeys.DELETE_GROUPS, 2, deletion),
                    connection.fetch());

            // Then
            assertThat(errorOf(answers.get(0))).isEqualTo(Errors.NONE);
            assertThat(offsetIn(answers.get(2))).isEqualTo(-1);
        }
    }

    @Test
    void commits_ofClientsThatAreGone_areStored() throws Exception {
        try (GroupConnection watcher = connection()) {
            // Given
            int epoch = watcher.join("m");

            for (int i = 1; i <= ROUNDS; i++) {
                // When
                try (GroupConnection gone = same(watcher)) {
                    gone.raw().sendTogether(gone.commitByName("m", epoch, i));
                }

                // Then
                long offset = i;
                Awaitility.await().atMost(LIMIT).until(() -> watcher.committed() == offset);
            }
        }
    }

    @Test
    void leaves_ofClientsThatAreGone_takeEffect() throws Exception {
        try (GroupConnection watcher = connection()) {
            for (int i = 0; i < ROUNDS; i++) {
                // Given
                var unused = watcher.join("m" + i);

                // When
                try (GroupConnection gone = same(watcher)) {
                    gone.raw().sendTogether(gone.heartbeat("m" + i, LEAVE));
                }
            }

            // Then
            Awaitility.await().atMost(LIMIT).until(() -> watcher.members() == 0);
        }
    }

    @Test
    void joinAndCommitAndLeave_ofAClientThatIsGone_takeEffectInOrder() throws Exception {
        try (GroupConnection watcher = connection()) {
            // When
            try (GroupConnection gone = same(watcher)) {
                gone.raw()
                        .sendTogether(
                                gone.heartbeat("m", JOIN), gone.commitById("m", 2, 7), gone.heartbeat("m", LEAVE));
            }

            // Then
            Awaitility.await().atMost(LIMIT).until(() -> watcher.committed() == 7);
            Awaitility.await().atMost(LIMIT).until(() -> watcher.members() == 0);
        }
    }

    @Test
    void unansweredRecords_ofAClientThatIsGone_areWritten() throws Exception {
        // Given
        String topic = fresh("topic");
        var unused = clients.create(topic);
        PartitionProduceData one = new PartitionProduceData()
                .setIndex(0)
                .setRecords(MemoryRecords.withRecords(
                        Compression.NONE, new SimpleRecord("a record".getBytes(StandardCharsets.UTF_8))));
        ProduceRequestData produce = new ProduceRequestData().setAcks((short) 0).setTimeoutMs(10_000);
        produce.topicData().add(new TopicProduceData().setName(topic).setPartitionData(List.of(one)));

        for (int i = 1; i <= ROUNDS; i++) {
            // When
            try (RawKafka gone = new RawKafka(port())) {
                gone.send(ApiKeys.PRODUCE, 12, produce);
            }

            // Then
            long written = i;
            Awaitility.await().atMost(LIMIT).until(() -> clients.endOf(topic) == written);
        }
    }

    @Test
    void consumer_thatClosesBehindACommit_losesNothing() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            // Given
            String topic = fresh("topic");
            String group = fresh("group");
            var unused = clients.create(topic);
            clients.write(topic, 1);

            // When
            try (KafkaConsumer<String, String> consumer = clients.reading(group, topic, false)) {
                consumer.commitAsync();
            }

            // Then
            assertThat(clients.committed(group, topic)).isEqualTo(1);
        }
    }

    @Test
    void consumers_thatCloseWhileTheyJoin_leaveNobody() throws Exception {
        // Given
        String topic = fresh("topic");
        var id = clients.create(topic);
        try (GroupConnection watcher = GroupConnection.open(port(), fresh("group"), topic, id)) {
            var unused = watcher.join("watcher");

            for (int i = 0; i < ROUNDS; i++) {
                // When
                try (KafkaConsumer<String, String> consumer = clients.consumer(watcher.group(), false)) {
                    consumer.subscribe(List.of(topic));
                    consumer.poll(Duration.ofMillis(40L * i));
                }
            }

            // Then
            Awaitility.await().during(Duration.ofMillis(500)).atMost(LIMIT).until(() -> watcher.members() == 1);
        }
    }

    private void foundAndLeave(GroupConnection connection) {
        var unused = connection.join("m");
        assertThat(connection.callTogether(connection.heartbeat("m", LEAVE)))
                .extracting(GroupConnection::errorOf)
                .containsExactly(Errors.NONE);
    }

    private GroupConnection connection() throws ExecutionException, InterruptedException {
        String topic = fresh("topic");
        return GroupConnection.open(port(), fresh("group"), topic, clients.create(topic));
    }

    private GroupConnection same(GroupConnection other) {
        return GroupConnection.open(port(), other.group(), other.topic(), other.topicId());
    }

    private int port() {
        return muster.nodes().get(0).gatewayPort();
    }

    private synchronized String fresh(String kind) {
        return "order-" + kind + "-" + names++;
    }
}
