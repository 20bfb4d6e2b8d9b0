package io.muster.cluster.clients;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.RawKafka;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;

/** Which broker coordinates which group. */
record GroupsOfBrokers(KafkaBrokers brokers) {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** A name that begins like this for a group whose coordinator is this broker. */
    String groupOf(int coordinator, String prefix) {
        return group(prefix, found -> found == coordinator);
    }

    /** A name that begins like this for a group whose coordinator is another broker. */
    String groupOfOthers(int broker, String prefix) {
        return group(prefix, found -> found >= 0 && found != broker);
    }

    /** The group's coordinator, once there is one. */
    int of(String group) {
        try (RawKafka broker = new RawKafka(brokers.port(0)).waitAtMost(LIMIT)) {
            return Awaitility.await("a coordinator of " + group)
                    .atMost(LIMIT)
                    .until(() -> coordinator(broker, group), found -> found >= 0);
        }
    }

    private String group(String prefix, IntPredicate wanted) {
        try (RawKafka broker = new RawKafka(brokers.port(0)).waitAtMost(LIMIT)) {
            return Awaitility.await("a group with the coordinator that is wanted")
                    .atMost(LIMIT)
                    .until(() -> group(broker, prefix, wanted), Optional::isPresent)
                    .orElseThrow();
        }
    }

    /** A broker that was away, perhaps in an earlier test, coordinates nothing until its partitions are given back to it. */
    private Optional<String> group(RawKafka broker, String prefix, IntPredicate wanted)
            throws ExecutionException, InterruptedException {
        Optional<String> found = IntStream.range(0, 10)
                .mapToObj(i -> prefix + i)
                .filter(group -> wanted.test(coordinator(broker, group)))
                .findFirst();
        if (found.isEmpty()) {
            brokers.electPreferredLeaders();
        }
        return found;
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
