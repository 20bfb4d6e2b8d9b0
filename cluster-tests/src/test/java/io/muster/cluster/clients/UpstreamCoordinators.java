package io.muster.cluster.clients;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.RawKafka;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;

/** Which broker coordinates which group. */
record UpstreamCoordinators(KafkaBrokers brokers) {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** A name that begins like this for a group whose coordinator is this broker. */
    String groupOf(int coordinator, String prefix) {
        try (RawKafka broker = new RawKafka(brokers.port(0)).waitAtMost(LIMIT)) {
            return Awaitility.await("a group that broker " + coordinator + " coordinates")
                    .atMost(LIMIT)
                    .until(
                            () -> IntStream.range(0, 10)
                                    .mapToObj(i -> prefix + i)
                                    .filter(group -> coordinator(broker, group) == coordinator)
                                    .findFirst(),
                            Optional::isPresent)
                    .orElseThrow();
        }
    }

    /** The coordinator's id, -1 while there is none. */
    private static int coordinator(RawKafka broker, String group) {
        FindCoordinatorResponseData answer = broker.call(
                ApiKeys.FIND_COORDINATOR,
                3,
                new FindCoordinatorRequestData().setKey(group),
                FindCoordinatorResponseData.class);
        return Errors.forCode(answer.errorCode()) == Errors.NONE ? answer.nodeId() : -1;
    }
}
