package io.muster.cluster.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.Users;
import io.muster.cluster.nodes.MusterCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The only broker, which asks who its clients are (SASL), is stopped (SIGSTOP): nobody can say so on a new connection meanwhile. */
class StoppedBrokerWithUsersTest {
    private static final Users USERS = new Users(List.of());
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String GROUP = "sasl-readers";
    private static final String TOPIC = "sasl-numbers";
    private static final int RECORDS = 300;

    private final ConcurrentMap<String, Integer> consumed = new ConcurrentHashMap<>();

    @Test
    void brokerStoppedForSeveralSessions_costsNobodyItsPlace() throws ExecutionException, InterruptedException {
        KafkaSetup setup = KafkaSetup.withoutModernGroups(KafkaVersion.V4_4).withUsers(USERS);
        try (KafkaBrokers brokers = KafkaBrokers.start(setup);
                MusterCluster muster = MusterCluster.startOne(
                        brokers, USERS.upstreamProperties(Users.ADMINISTRATOR) + StoppedBroker.SHORT_SESSIONS);
                NumberedTopic numbers = new NumberedTopic(client(brokers.bootstrap()), TOPIC, 2, 1);
                ConsumingMember first = consumer(muster);
                ConsumingMember second = consumer(muster)) {
            // Given
            List<ConsumingMember> consumers = List.of(first, second);
            Awaitility.await("a partition for each")
                    .atMost(LIMIT)
                    .until(() -> consumers.stream().allMatch(each -> each.partitions() == 1));
            numbers.write(RECORDS);
            awaitConsumed(numbers);
            GroupView before = GroupView.of(muster.nodes().get(0), GROUP);

            // When
            StoppedBroker.forSeveralSessions(brokers, 0, () -> {});

            // Then
            numbers.write(RECORDS);
            awaitConsumed(numbers);
            assertThat(consumers).allSatisfy(each -> {
                assertThat(each.failure()).isNull();
                assertThat(each.timesLost()).isZero();
            });
            assertThat(GroupView.of(muster.nodes().get(0), GROUP)).isEqualTo(before);
        }
    }

    private ConsumingMember consumer(MusterCluster muster) {
        return new ConsumingMember(client(muster.bootstrap()), GROUP, TOPIC, consumed);
    }

    private void awaitConsumed(NumberedTopic numbers) {
        Awaitility.await("every number consumed once")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(consumed).isEqualTo(numbers.eachOnce()));
    }

    private static Map<String, String> client(String bootstrap) {
        Map<String, String> client = new HashMap<>(USERS.clientProperties(Users.ADMINISTRATOR));
        client.put("bootstrap.servers", bootstrap);
        return client;
    }
}
