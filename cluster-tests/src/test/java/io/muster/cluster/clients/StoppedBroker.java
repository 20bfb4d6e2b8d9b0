package io.muster.cluster.clients;

import io.muster.cluster.kafka.KafkaBrokers;
import java.time.Duration;
import org.awaitility.Awaitility;

/** A broker that stands still for longer than sessions last. */
final class StoppedBroker {
    private static final Duration PAUSE = Duration.ofSeconds(Integer.getInteger("muster.stoppedSeconds", 30));

    /** More of a node's configuration: sessions that are over long before the broker goes on. */
    static final String SHORT_SESSIONS = """
            coordinator:
              consumer:
                sessionTimeout: 12s
                minSessionTimeout: 12s
                heartbeatInterval: 2s
                minHeartbeatInterval: 2s
              streams:
                sessionTimeout: 12s
                minSessionTimeout: 12s
                heartbeatInterval: 2s
                minHeartbeatInterval: 2s
            """;

    private StoppedBroker() {}

    /** Stops a broker (SIGSTOP), does something, and lets it go on after 30 s or {@code -Dmuster.stoppedSeconds}. */
    static void forSeveralSessions(KafkaBrokers brokers, int id, Runnable meanwhile) {
        long end = System.nanoTime() + PAUSE.toNanos();
        brokers.pause(id);
        try {
            meanwhile.run();
            Awaitility.await().atMost(PAUSE.multipliedBy(2)).until(() -> System.nanoTime() - end > 0);
        } finally {
            brokers.resume(id);
        }
    }
}
