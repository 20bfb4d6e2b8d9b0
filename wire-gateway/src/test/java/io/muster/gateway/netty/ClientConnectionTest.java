package io.muster.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClaimIdentity;
import io.muster.core.CommitCommand;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.Response;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.message.SaslHandshakeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In which order, and whether, what one client sends is carried out; the coordinator and the broker answer when the test says so. */
class ClientConnectionTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int JOIN = 0;
    private static final int LEAVE = -1;
    private static final int EPOCH = 3;

    private final HeldGroups groups = new HeldGroups();
    private final BlockingQueue<OffsetCommitRequestData> commits = new LinkedBlockingQueue<>();
    private StandInBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = new StandInBroker();
        broker.answers(
                ApiKeys.HEARTBEAT,
                request -> Optional.of(new HeartbeatResponseData().setErrorCode(Errors.UNKNOWN_MEMBER_ID.code())));
    }

    @AfterEach
    void stop() throws Exception {
        broker.close();
    }

    @Test
    void leave_isDecidedAfterItsJoin_andOtherGroupsDoNotWait() throws Exception {
        try (OpenGateway gateway = open();
                RawClient client = new RawClient(gateway.port(0))) {
            // Given
            client.send(together(heartbeat("g", JOIN), heartbeat("g", LEAVE), heartbeat("h", JOIN)));

            // When
            groups.await(ConsumerHeartbeat.class, of("h"));
            assertThat(epochs("g")).containsExactly(JOIN);
            groups.answer(ConsumerHeartbeat.class, of("g"), alive(EPOCH));

            // Then
            groups.await(ConsumerHeartbeat.class, of("g").and(one -> one.memberEpoch() == LEAVE));
            assertThat(epochs("g")).containsExactly(JOIN, LEAVE);
        }
    }

    @Test
    void keepAlive_isDecided_thoughUpstreamDoesNotAnswerTheCommitBeforeIt() throws Exception {
        // Given
        broker.answers(ApiKeys.OFFSET_COMMIT, this::keepSilent);
        try (OpenGateway gateway = open();
                RawClient client = new RawClient(gateway.port(0))) {
            knowPermissions(client);
            client.send(together(commit(7), heartbeat("g", LEAVE, "leaver"), heartbeat("g", EPOCH)));
            groups.answer(CommitCommand.Admit.class, admitted());

            // When
            assertThat(commits.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isNotNull();

            // Then
            groups.await(ConsumerHeartbeat.class, of("g").and(one -> one.memberEpoch() == EPOCH));
            assertThat(groups.heard(ConsumerHeartbeat.class)).noneMatch(one -> one.memberEpoch() == LEAVE);
        }
    }

    @Test
    void replies_keepTheOrderOfTheRequests() throws Exception {
        try (OpenGateway gateway = open();
                RawClient client = new RawClient(gateway.port(0))) {
            // Given
            client.send(together(heartbeat("g", JOIN), heartbeat("h", JOIN)));

            // When
            groups.answer(ConsumerHeartbeat.class, of("h"), alive(8));
            groups.answer(ConsumerHeartbeat.class, of("g"), alive(7));

            // Then
            assertThat(client.receive().getInt()).isEqualTo(JOIN_OF_G);
            assertThat(client.receive().getInt()).isEqualTo(JOIN_OF_G + 1);
        }
    }

    @Test
    void requestsBehindAMalformedOne_areNotCarriedOut_andThoseBeforeItAre() throws Exception {
        try (OpenGateway gateway = open();
                RawClient client = new RawClient(gateway.port(0))) {
            // When
            client.send(together(heartbeat("g", JOIN), malformed(), heartbeat("h", JOIN)));

            // Then
            assertThat(client.isClosed()).isTrue();
            groups.answer(ConsumerHeartbeat.class, of("g"), alive(EPOCH));
            awaitFinished(gateway);
            assertThat(epochs("h")).isEmpty();
            assertThat(gateway.gateway().abandonedConnections()).isZero();
        }
    }

    @Test
    void requestsBehindAMalformedOne_thatWaitForAHandshake_areNotCarriedOut() throws Exception {
        // Given
        broker.answers(ApiKeys.SASL_HANDSHAKE, request -> Optional.of(new SaslHandshakeResponseData()));
        try (OpenGateway gateway = open();
                RawClient client = new RawClient(gateway.port(0))) {
            client.send(together(heartbeat("g", JOIN), handshake(), malformed(), heartbeat("h", JOIN)));

            // When
            groups.answer(ConsumerHeartbeat.class, of("g"), alive(EPOCH));

            // Then
            awaitFinished(gateway);
            assertThat(epochs("h")).isEmpty();
        }
    }

    @Test
    void commit_ofAClientThatIsGone_isSent_andUpstreamIsClosedAfterItsAnswer() throws Exception {
        // Given
        broker.answers(ApiKeys.OFFSET_COMMIT, this::store);
        try (OpenGateway gateway = open()) {
            try (RawClient client = new RawClient(gateway.port(0))) {
                client.send(commit(7));
                groups.await(CommitCommand.Admit.class);
            }

            // When
            groups.answer(CommitCommand.Admit.class, admitted());

            // Then
            assertThat(commits.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isNotNull();
            groups.await(CommitCommand.Settled.class);
            awaitFinished(gateway);
            assertThat(gateway.gateway().abandonedConnections()).isZero();
        }
    }

    @Test
    void requestsThatWait_ofAClientThatIsGone_areCarriedOutInOrder() throws Exception {
        // Given
        broker.answers(ApiKeys.OFFSET_COMMIT, this::store);
        try (OpenGateway gateway = open()) {
            try (RawClient client = new RawClient(gateway.port(0))) {
                client.send(together(heartbeat("g", JOIN), commit(7), heartbeat("g", LEAVE)));
                groups.await(ConsumerHeartbeat.class);
            }

            // When
            groups.answer(ConsumerHeartbeat.class, alive(EPOCH));
            groups.answer(CommitCommand.Admit.class, admitted());
            groups.answer(ConsumerHeartbeat.class, one -> one.memberEpoch() == LEAVE, alive(LEAVE));

            // Then
            assertThat(commits).hasSize(1);
            awaitFinished(gateway);
            assertThat(gateway.gateway().abandonedConnections()).isZero();
        }
    }

    @Test
    void leave_behindACommit_ofAClientThatIsGone_isCarriedOutHoweverLongTheCommitIsTriedAgain() throws Exception {
        // Given
        broker.answers(ApiKeys.OFFSET_COMMIT, this::store);
        try (OpenGateway gateway = open(config -> config.withFinishWithin(Duration.ZERO))) {
            try (RawClient client = new RawClient(gateway.port(0))) {
                client.send(together(commit(7), heartbeat("g", LEAVE)));
                groups.await(CommitCommand.Admit.class);
            }
            try (RawClient other = new RawClient(gateway.port(0))) {
                other.send(heartbeat("h", JOIN));
                groups.answer(ConsumerHeartbeat.class, of("h"), alive(EPOCH));
                assertThat(other.receive().hasRemaining()).isTrue();
            }

            // When
            groups.answer(CommitCommand.Admit.class, admitted());
            groups.answer(ConsumerHeartbeat.class, one -> one.memberEpoch() == LEAVE, alive(LEAVE));

            // Then
            assertThat(commits).hasSize(1);
        }
    }

    @Test
    void recordsWithoutAcks_ofAClientThatIsGoneAtOnce_reachTheBroker() throws Exception {
        // Given
        BlockingQueue<Boolean> written = new LinkedBlockingQueue<>();
        broker.answers(ApiKeys.PRODUCE, request -> {
            written.add(true);
            return Optional.empty();
        });
        try (OpenGateway gateway = open()) {
            // When
            try (RawClient client = new RawClient(gateway.port(0))) {
                client.send(ApiKeys.PRODUCE, 9, 1, new ProduceRequestData().setAcks((short) 0));
            }

            // Then
            assertThat(written.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            awaitFinished(gateway);
        }
    }

    @Test
    void requestsThatNobodyAnswers_ofAClientThatIsGone_areGivenUpAndCounted() throws Exception {
        // Given
        broker.answers(ApiKeys.OFFSET_COMMIT, this::keepSilent);
        try (OpenGateway gateway = open(config ->
                config.withRequestPatience(Duration.ofMillis(200)).withFinishWithin(Duration.ofMillis(100)))) {
            try (RawClient client = new RawClient(gateway.port(0))) {
                client.send(commit(7));
                groups.answer(CommitCommand.Admit.class, admitted());
                assertThat(commits.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isNotNull();
            }

            // Then
            awaitFinished(gateway);
            assertThat(gateway.gateway().abandonedConnections()).isEqualTo(1);
        }
    }

    @Test
    void gatewayThatCloses_carriesOutWhatItReceived() throws Exception {
        // Given
        broker.answers(ApiKeys.OFFSET_COMMIT, this::store);
        OpenGateway gateway = open();
        try (RawClient client = new RawClient(gateway.port(0))) {
            client.send(commit(7));
            groups.await(CommitCommand.Admit.class);

            // When
            Thread closing = new Thread(gateway::close);
            closing.start();
            assertThat(client.isClosed()).isTrue();
            groups.answer(CommitCommand.Admit.class, admitted());
            closing.join(LIMIT.toMillis());

            // Then
            assertThat(commits).hasSize(1);
        }
    }

    private static final int JOIN_OF_G = 0;
    private int nextCorrelationId = JOIN_OF_G;

    private OpenGateway open() throws Exception {
        return open(UnaryOperator.identity());
    }

    private OpenGateway open(UnaryOperator<GatewayConfig> changed) throws Exception {
        return OpenGateway.before(broker, groups, changed);
    }

    /** A heartbeat that only says that its member lives is decided without asking the broker once it was allowed. */
    private void knowPermissions(RawClient client) throws IOException {
        client.send(heartbeat("g", JOIN));
        groups.answer(ConsumerHeartbeat.class, of("g"), alive(EPOCH));
        var unused = client.receive();
    }

    private static void awaitFinished(OpenGateway gateway) {
        Awaitility.await().atMost(LIMIT).until(() -> gateway.gateway().unfinishedConnections() == 0);
    }

    private List<Integer> epochs(String group) {
        return groups.heard(ConsumerHeartbeat.class).stream()
                .filter(of(group))
                .map(ConsumerHeartbeat::memberEpoch)
                .toList();
    }

    private Optional<ApiMessage> keepSilent(KafkaRequest request) throws IOException {
        commits.add(read(request));
        return Optional.empty();
    }

    private Optional<ApiMessage> store(KafkaRequest request) throws IOException {
        commits.add(read(request));
        return Optional.of(new OffsetCommitResponseData());
    }

    private static OffsetCommitRequestData read(KafkaRequest request) throws IOException {
        try {
            return request.body(OffsetCommitRequestData.class);
        } catch (MalformedRequestException e) {
            throw new IOException(e);
        }
    }

    private static Predicate<ConsumerHeartbeat> of(String group) {
        return heartbeat -> heartbeat.groupId().equals(group);
    }

    private static Response alive(int epoch) {
        return new Response.ConsumerHeartbeatAnswer("m", epoch, 5_000, null, Collections.emptySortedSet());
    }

    private static Response admitted() {
        return new Response.CommitAdmitted(new ClaimIdentity("claim", 1));
    }

    private byte[] heartbeat(String group, int epoch) {
        return heartbeat(group, epoch, "m");
    }

    private byte[] heartbeat(String group, int epoch, String member) {
        ConsumerGroupHeartbeatRequestData request = new ConsumerGroupHeartbeatRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setMemberEpoch(epoch)
                .setRebalanceTimeoutMs(-1);
        if (epoch == JOIN) {
            request.setRebalanceTimeoutMs(60_000)
                    .setSubscribedTopicNames(List.of("t"))
                    .setTopicPartitions(List.of());
        }
        return RawClient.frame(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, nextCorrelationId++, request);
    }

    /** A heartbeat whose body ends too early. */
    private byte[] malformed() {
        byte[] whole = heartbeat("g", JOIN);
        byte[] half = Arrays.copyOf(whole, whole.length / 2);
        ByteBuffer.wrap(half).putInt(half.length - Integer.BYTES);
        return half;
    }

    private byte[] handshake() {
        return RawClient.frame(
                ApiKeys.SASL_HANDSHAKE, 1, nextCorrelationId++, new SaslHandshakeRequestData().setMechanism("PLAIN"));
    }

    private byte[] commit(long offset) {
        OffsetCommitRequestData request = new OffsetCommitRequestData()
                .setGroupId("g")
                .setMemberId("m")
                .setGenerationIdOrMemberEpoch(EPOCH)
                .setTopics(List.of(new OffsetCommitRequestTopic()
                        .setName("t")
                        .setPartitions(List.of(new OffsetCommitRequestPartition()
                                .setPartitionIndex(0)
                                .setCommittedOffset(offset)))));
        return RawClient.frame(ApiKeys.OFFSET_COMMIT, 9, nextCorrelationId++, request);
    }

    private static byte[] together(byte[]... frames) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            all.writeBytes(frame);
        }
        return all.toByteArray();
    }
}
