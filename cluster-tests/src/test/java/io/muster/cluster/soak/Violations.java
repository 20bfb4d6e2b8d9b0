package io.muster.cluster.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What must never happen and did, whoever saw it. */
final class Violations {
    private static final Logger LOG = LoggerFactory.getLogger(Violations.class);

    private final Queue<String> all = new ConcurrentLinkedQueue<>();

    void add(String what) {
        LOG.error("VIOLATION {}", what);
        all.add(what);
    }

    void assertNone() {
        assertThat(List.copyOf(all)).isEmpty();
    }
}
