package io.muster.cluster.security;

import io.muster.cluster.kafka.RawKafka;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.Errors;

/**
 * A connection, and what was said on it.
 *
 * @param port where it leads to
 */
record Exchange(int port, RawKafka connection, List<String> answers) {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    void add(String what, short errorCode, Object... more) {
        answers.add(what + ": " + Errors.forCode(errorCode) + " " + List.of(more));
    }

    /** Goes on as another user, on a connection of its own. */
    void as(String user, Consumer<Exchange> question) {
        try (RawKafka other = new RawKafka(port).waitAtMost(LIMIT).as(user)) {
            question.accept(new Exchange(port, other, answers));
        }
    }
}
