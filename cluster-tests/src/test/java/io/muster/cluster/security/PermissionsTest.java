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
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
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
class PermissionsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Users USERS = new Users(List.of(Requests.READER, Requests.OPERATOR, Places.MUSTER));
    private static final KafkaSetup STOCK =
            KafkaSetup.of(KafkaVersion.V4_4).property("group.streams.initial.rebalance.delay.ms", "0");

    private KafkaBrokers stock;
    private KafkaBrokers upstream;
    private MusterCluster muster;
    private Requests onKafka;
    private Requests throughMuster;

    @BeforeAll
    void start() throws ExecutionException, InterruptedException {
        stock = KafkaBrokers.start(STOCK.withUsers(USERS));
        upstream = KafkaBrokers.start(
                KafkaSetup.withoutModernGroups(KafkaVersion.V4_4).withUsers(USERS));
        Places.prepare(stock.bootstrap(), USERS);
        Places.prepare(upstream.bootstrap(), USERS);
        muster = MusterCluster.startOne(upstream, Places.musterConfig(USERS));
        onKafka = new Requests(stock.port(0));
        throughMuster = new Requests(muster.nodes().get(0).gatewayPort());
        onKafka.found();
        throughMuster.found();
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
}
