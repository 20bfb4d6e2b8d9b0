package io.muster.cluster.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.RawKafka;
import io.muster.cluster.kafka.Users;
import io.muster.cluster.nodes.MusterCluster;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a client with few permissions is told by Kafka 4.4.0 with its own authorizer, and by Muster before brokers with the same one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class PermissionsOnKafkaTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Users USERS = new Users(List.of(Requests.READER, Requests.OPERATOR, Places.MUSTER));
    private static final KafkaSetup STOCK =
            withSessions(KafkaSetup.of(KafkaVersion.V4_4)).property("group.streams.initial.rebalance.delay.ms", "0");

    private KafkaBrokers stock;
    private KafkaBrokers upstream;
    private MusterCluster muster;
    private Requests onKafka;
    private Requests throughMuster;

    @BeforeAll
    void start() throws ExecutionException, InterruptedException {
        stock = KafkaBrokers.start(STOCK.withUsers(USERS));
        upstream = KafkaBrokers.start(
                withSessions(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4)).withUsers(USERS));
        Places.prepare(stock.bootstrap(), USERS);
        Places.prepare(upstream.bootstrap(), USERS);
        muster = MusterCluster.startOne(upstream, Places.musterConfig(USERS));
        onKafka = new Requests(stock.port(0));
        throughMuster = new Requests(muster.nodes().get(0).gatewayPort());
        onKafka.found();
        throughMuster.found();
    }

    /** Without an end of their sessions clients need not say again who they are, and may not. */
    private static KafkaSetup withSessions(KafkaSetup setup) {
        return setup.property("connections.max.reauth.ms", "3600000");
    }

    @AfterAll
    void stop() {
        muster.close();
        upstream.close();
        stock.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("asked")
    void muster_answersAsKafka(String name) {
        // When
        List<String> expected = onKafka.answers(name);
        List<String> answers = throughMuster.answers(name);

        // Then
        assertThat(answers).isEqualTo(expected).isNotEmpty();
    }

    static Stream<String> asked() {
        return Requests.names().stream();
    }

    @Test
    void internalTopics_ofAClientThatMayNotCreate_areNotTried() throws ExecutionException, InterruptedException {
        // When
        List<String> answers = throughMuster.answers("streams join without CREATE");

        // Then
        assertThat(answers.toString()).contains("Unauthorized to CREATE on topics app-store-changelog");
        assertThat(Places.topics(upstream.bootstrap(), USERS)).doesNotContain("app-store-changelog");
    }

    @Test
    void heartbeat_ofAClientThatDidNotSayWhoItIs_changesNothing() {
        // Given
        try (RawKafka nobody = new RawKafka(muster.nodes().get(0).gatewayPort()).waitAtMost(LIMIT)) {
            // Then
            assertThatThrownBy(() -> {
                        ConsumerGroupHeartbeatResponseData answer = nobody.call(
                                ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                                1,
                                HeartbeatQuestions.join("open", "intruder", List.of("in")),
                                ConsumerGroupHeartbeatResponseData.class);
                        if (answer.errorCode() != 0) {
                            throw new UncheckedIOException(new java.io.IOException("refused"));
                        }
                    })
                    .isInstanceOf(UncheckedIOException.class);
        }
        assertThat(throughMuster.answers("describe by the operator").toString()).doesNotContain("intruder");
    }

    @Test
    void leave_ofAnotherMemberBehindALongPoll_isRefusedAndRemovesNobody() {
        // Given
        try (RawKafka reader = new RawKafka(muster.nodes().get(0).gatewayPort())
                .waitAtMost(LIMIT)
                .as(Requests.READER)) {
            // When
            reader.send(ApiKeys.FETCH, 12, longPoll());
            reader.send(
                    ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                    1,
                    new ConsumerGroupHeartbeatRequestData()
                            .setGroupId("secret")
                            .setMemberId("founder")
                            .setMemberEpoch(-1));

            // Then
            reader.receive(ApiKeys.FETCH, 12);
            ConsumerGroupHeartbeatResponseData answer =
                    (ConsumerGroupHeartbeatResponseData) reader.receive(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1);
            assertThat(Errors.forCode(answer.errorCode()))
                    .isIn(Errors.COORDINATOR_NOT_AVAILABLE, Errors.GROUP_AUTHORIZATION_FAILED);
        }
        assertThat(membersOf("secret")).contains("founder");
    }

    private static FetchRequestData longPoll() {
        return new FetchRequestData()
                .setMaxWaitMs(5_000)
                .setMinBytes(1)
                .setTopics(List.of(new FetchRequestData.FetchTopic()
                        .setTopic("in")
                        .setPartitions(List.of(new FetchRequestData.FetchPartition().setPartitionMaxBytes(1_000)))));
    }

    private List<String> membersOf(String group) {
        try (RawKafka administrator = new RawKafka(muster.nodes().get(0).gatewayPort())
                .waitAtMost(LIMIT)
                .as(Users.ADMINISTRATOR)) {
            return administrator
                    .call(
                            ApiKeys.CONSUMER_GROUP_DESCRIBE,
                            1,
                            new ConsumerGroupDescribeRequestData().setGroupIds(List.of(group)),
                            ConsumerGroupDescribeResponseData.class)
                    .groups()
                    .get(0)
                    .members()
                    .stream()
                    .map(ConsumerGroupDescribeResponseData.Member::memberId)
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void client_thatSaysWhoItIsByBareTokens_isLetIn(String place) {
        // Given
        try (RawKafka reader = new RawKafka(portOf(place)).waitAtMost(LIMIT).asByBareTokens(Requests.READER)) {
            // Then
            assertThat(joined(reader, "open-by-tokens")).isEqualTo(Errors.NONE);
            assertThat(joined(reader, "secret")).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void client_thatSaysAgainWhoItIsWhileItsRequestsAreUnderWay_staysConnected(String place) {
        // Given
        try (RawKafka reader = new RawKafka(portOf(place)).waitAtMost(LIMIT).as(Requests.READER)) {
            // When
            reader.send(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, HeartbeatQuestions.join("open-again", "m", List.of("in")));
            reader.send(ApiKeys.SASL_HANDSHAKE, 1, new SaslHandshakeRequestData().setMechanism("PLAIN"));

            // Then
            ConsumerGroupHeartbeatResponseData first =
                    (ConsumerGroupHeartbeatResponseData) reader.receive(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1);
            assertThat(Errors.forCode(first.errorCode())).isEqualTo(Errors.NONE);
            reader.receive(ApiKeys.SASL_HANDSHAKE, 1);
            reader.authenticate(Requests.READER);
            assertThat(joined(reader, "open-again")).isEqualTo(Errors.NONE);
        }
    }

    static Stream<String> places() {
        return Stream.of("Kafka", "Muster");
    }

    private int portOf(String place) {
        return place.equals("Kafka") ? stock.port(0) : muster.nodes().get(0).gatewayPort();
    }

    private static Errors joined(RawKafka connection, String group) {
        return Errors.forCode(connection
                .call(
                        ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                        1,
                        HeartbeatQuestions.join(group, "m", List.of("in")),
                        ConsumerGroupHeartbeatResponseData.class)
                .errorCode());
    }
}
