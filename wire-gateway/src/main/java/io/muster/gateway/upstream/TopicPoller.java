package io.muster.gateway.upstream;

import io.muster.gateway.coordinator.TopicLease;
import io.muster.gateway.coordinator.TopicWatcher;
import io.muster.runtime.TopicReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls upstream metadata for the topics that were leased to this gateway, another broker each time. It reports what each broker
 * said; how many of them must agree is the shard's business.
 */
public final class TopicPoller implements TopicWatcher, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicPoller.class);
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final long RETRY_MILLIS = 250;

    /** After a change was announced, the brokers learn of it one by one: look at these times, milliseconds later. */
    private static final long[] LOOKS_MILLIS = {0, 50, 150, 400, 1_000};

    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(UpstreamClaimExecutor.threads("topic-poller"));
    private final Map<TopicLease, Watch> watches = new HashMap<>();
    private final BrokerSession session;
    private final BrokerRacks racks = new BrokerRacks();
    private List<Node> brokers;
    private int turn;
    private boolean complained;

    /** The names and the receiver of one lease. */
    private record Watch(Set<String> names, Consumer<TopicReport> report) {}

    /** @param pollIntervalMillis time between two looks at all topics, milliseconds */
    public TopicPoller(UpstreamConfig config, long pollIntervalMillis) {
        this.session = new BrokerSession(config);
        this.brokers = session.bootstrap();
        var unused = thread.scheduleWithFixedDelay(
                guarded(this::pollAll), pollIntervalMillis, pollIntervalMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void watch(TopicLease lease, Set<String> names, Consumer<TopicReport> report) {
        run(
                () -> {
                    Watch before = watches.put(lease, new Watch(names, report));
                    Set<String> fresh = new TreeSet<>(names);
                    if (before != null) {
                        fresh.removeAll(before.names());
                    }
                    poll(lease, fresh, Set.of());
                },
                0);
    }

    @Override
    public void look(TopicLease lease, Set<String> names, Set<String> deleted) {
        for (long delay : LOOKS_MILLIS) {
            run(() -> poll(lease, names, deleted), delay);
        }
    }

    @Override
    public void end(TopicLease lease) {
        run(() -> watches.remove(lease), 0);
    }

    @Override
    public void close() {
        thread.shutdown();
        session.interrupt();
        if (UpstreamClaimExecutor.ends(thread)) {
            session.close();
        }
    }

    private void run(Runnable task, long delayMillis) {
        try {
            var unused = thread.schedule(guarded(task), delayMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("the topic poller is stopping", e);
        }
    }

    /** A bug in one look must not end the polling. */
    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("a look at upstream topics failed", e);
            }
        };
    }

    private void pollAll() {
        Set<String> names = new TreeSet<>();
        watches.values().forEach(watch -> names.addAll(watch.names()));
        if (names.isEmpty()) {
            return;
        }
        try {
            TopicFindings findings = ask(names);
            watches.values().forEach(watch -> watch.report().accept(findings.about(watch.names(), Set.of())));
        } catch (UpstreamException e) {
            complain(e);
        }
    }

    private void poll(TopicLease lease, Collection<String> names, Set<String> deleted) {
        Watch watch = watches.get(lease);
        if (watch == null || names.isEmpty()) {
            return;
        }
        try {
            watch.report().accept(ask(names).about(names, deleted));
        } catch (UpstreamException e) {
            complain(e);
            run(() -> poll(lease, names, deleted), RETRY_MILLIS);
        }
    }

    private TopicFindings ask(Collection<String> names) throws UpstreamException {
        Node broker = brokers.get(Math.floorMod(turn++, brokers.size()));
        MetadataResponse response;
        try {
            response = (MetadataResponse)
                    session.call(broker, new MetadataRequest.Builder(new ArrayList<>(names), false), TIMEOUT_MILLIS);
        } catch (UpstreamException e) {
            brokers = session.bootstrap();
            throw e;
        }
        if (!response.brokers().isEmpty()) {
            brokers = List.copyOf(response.brokers());
        }
        complained = false;
        return TopicFindings.of(response, racks);
    }

    private void complain(UpstreamException failure) {
        if (!complained) {
            complained = true;
            LOG.atWarn().addKeyValue("reason", failure.getMessage()).log("upstream topics cannot be looked at");
        }
    }
}
