package io.muster.cluster.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The tests' own ground: three real brokers that only Muster can give the modern protocols to. */
class KafkaBrokersTest {
    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.threeWithoutModernGroups(KafkaVersion.V4_4));

    @Test
    void modernHeartbeat_isRefusedByTheBrokers() {
        try (RawKafka broker = new RawKafka(KAFKA.brokers().port(0)).waitAtMost(Duration.ofSeconds(20))) {
            // When
            Errors error = Errors.forCode(broker.call(
                            ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                            1,
                            new ConsumerGroupHeartbeatRequestData()
                                    .setGroupId("modern")
                                    .setMemberId("member")
                                    .setMemberEpoch(0)
                                    .setRebalanceTimeoutMs(60_000)
                                    .setSubscribedTopicNames(List.of("topic"))
                                    .setTopicPartitions(List.of()),
                            ConsumerGroupHeartbeatResponseData.class)
                    .errorCode());

            // Then
            assertThat(error).isEqualTo(Errors.UNSUPPORTED_VERSION);
        }
    }

    @Test
    void pausedBroker_isSilentUntilItGoesOn() {
        // Given
        try (RawKafka broker = new RawKafka(KAFKA.brokers().port(1)).waitAtMost(Duration.ofMillis(500))) {
            KAFKA.brokers().pause(1);

            // When
            broker.send(ApiKeys.API_VERSIONS, 0, new ApiVersionsRequestData());

            // Then
            assertThatThrownBy(() -> broker.receive(ApiKeys.API_VERSIONS, 0))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasCauseInstanceOf(SocketTimeoutException.class);
        } finally {
            KAFKA.brokers().resume(1);
        }
        try (RawKafka broker = new RawKafka(KAFKA.brokers().port(1)).waitAtMost(Duration.ofSeconds(20))) {
            ApiVersionsResponseData answer =
                    broker.call(ApiKeys.API_VERSIONS, 0, new ApiVersionsRequestData(), ApiVersionsResponseData.class);
            assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
        }
    }

    @Test
    void killedBroker_comesBackWithItsData() throws ExecutionException, InterruptedException {
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", KAFKA.brokers().bootstrap()))) {
            // Given
            admin.createTopics(List.of(new NewTopic("kept", 2, (short) 3)))
                    .all()
                    .get();

            // When
            KAFKA.brokers().kill(2);
            KAFKA.brokers().restart(2);

            // Then
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .ignoreException(ExecutionException.class)
                    .until(() ->
                            admin
                                    .describeTopics(List.of("kept"))
                                    .allTopicNames()
                                    .get()
                                    .get("kept")
                                    .partitions()
                                    .stream()
                                    .allMatch(partition -> partition.isr().size() == 3));
        }
    }
}
