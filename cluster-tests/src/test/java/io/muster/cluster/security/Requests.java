package io.muster.cluster.security;

import io.muster.cluster.kafka.RawKafka;
import io.muster.cluster.kafka.Users;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;

/** Requests by name, sent to one port, and what is said to them about permissions. */
final class Requests {
    /** Reads groups {@code open*} and the topic {@code in}, sees groups and topic {@code shown*}, deletes groups {@code deletable*}. */
    static final String READER = "reader";
    /** Sees the cluster, and does what it likes with groups {@code open*}. */
    static final String OPERATOR = "operator";

    private static final Duration LIMIT = Duration.ofSeconds(30);
    static final List<String> GROUPS = List.of("open", "shown", "secret", "deletable");
    private static final Map<String, Question> ASKED = new TreeMap<>();

    static {
        HeartbeatQuestions.addTo(ASKED);
        StreamsQuestions.addTo(ASKED);
        DescribeQuestions.addTo(ASKED);
        OffsetQuestions.addTo(ASKED);
        TopicIdQuestions.addTo(ASKED);
        TransactionQuestions.addTo(ASKED);
        PatternQuestions.addTo(ASKED);
        ClassicQuestions.addTo(ASKED);
    }

    private final int port;

    Requests(int port) {
        this.port = port;
    }

    static List<String> names() {
        return List.copyOf(ASKED.keySet());
    }

    /** Sends the request of this name; a line for each thing that was said. */
    List<String> answers(String name) {
        Question asked = ASKED.get(name);
        if (asked == null) {
            throw new IllegalArgumentException(name);
        }
        try (RawKafka connection = new RawKafka(port).waitAtMost(LIMIT).as(asked.user())) {
            Exchange exchange = new Exchange(port, connection, new ArrayList<>());
            asked.exchange().accept(exchange);
            return exchange.answers();
        }
    }

    /** Has the administrator join every group: {@code shown} reads a topic that others may not see. */
    void found() {
        try (RawKafka connection = new RawKafka(port).waitAtMost(LIMIT).as(Users.ADMINISTRATOR)) {
            for (String group : GROUPS) {
                awaitCoordinator(connection, group);
                String topic = group.equals("shown") ? "secret" : "in";
                Awaitility.await()
                        .atMost(LIMIT)
                        .until(() -> connection
                                        .call(
                                                ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                                                1,
                                                HeartbeatQuestions.join(group, "founder", List.of(topic)),
                                                ConsumerGroupHeartbeatResponseData.class)
                                        .errorCode()
                                == Errors.NONE.code());
            }
            leave(connection, "deletable");
        }
    }

    private static void awaitCoordinator(RawKafka connection, String group) {
        FindCoordinatorRequestData request = new FindCoordinatorRequestData().setKey(group);
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> connection
                                .call(ApiKeys.FIND_COORDINATOR, 3, request, FindCoordinatorResponseData.class)
                                .errorCode()
                        == Errors.NONE.code());
    }

    private static void leave(RawKafka connection, String group) {
        var unused = connection.call(
                ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                1,
                new ConsumerGroupHeartbeatRequestData()
                        .setGroupId(group)
                        .setMemberId("founder")
                        .setMemberEpoch(-1),
                ConsumerGroupHeartbeatResponseData.class);
    }
}
