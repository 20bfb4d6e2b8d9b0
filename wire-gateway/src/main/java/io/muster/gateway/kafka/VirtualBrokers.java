package io.muster.gateway.kafka;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The upstream brokers that are known, and the gateway's port for each: base port + broker id. Any thread.
 *
 * <p>A broker is never forgotten: its port stays, and leads to the address it was last seen at. A broker whose port cannot be opened
 * is not shown to clients; the others are.
 */
public final class VirtualBrokers {
    private static final Logger LOG = LoggerFactory.getLogger(VirtualBrokers.class);
    private static final int HIGHEST_PORT = 65_535;

    private final String host;
    private final int basePort;
    private final IntFunction<CompletableFuture<Void>> opener;
    private final Consumer<SortedMap<Integer, String>> troubled;
    private final Map<Integer, BrokerAddress> upstream = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<Integer, BrokerPort> ports = new ConcurrentSkipListMap<>();
    private SortedMap<Integer, String> reported = Collections.emptySortedMap();

    /**
     * @param host the gateway as clients reach it
     * @param opener opens the port of a broker without blocking; completes exceptionally, with a message for people, if it cannot
     * @param troubled is called with why brokers are not shown, by id, whenever that changes
     */
    public VirtualBrokers(
            String host,
            int basePort,
            IntFunction<CompletableFuture<Void>> opener,
            Consumer<SortedMap<Integer, String>> troubled) {
        this.troubled = troubled;
        this.host = host;
        this.basePort = basePort;
        this.opener = opener;
    }

    /** A broker's port at the gateway. */
    private sealed interface BrokerPort {
        /** @param trouble why it could not be opened before */
        record Opening(CompletableFuture<Void> opened, Optional<String> trouble) implements BrokerPort {}

        record Bound() implements BrokerPort {}

        record Failed(String reason) implements BrokerPort {}
    }

    /**
     * Takes in where a broker listens, and has its port opened if it is new; negative ids and empty hosts, which stand for none, are
     * ignored. Does not block.
     */
    public void learn(int brokerId, String upstreamHost, int upstreamPort) {
        if (brokerId < 0 || upstreamHost.isEmpty()) {
            return;
        }
        upstream.put(brokerId, new BrokerAddress(upstreamHost, upstreamPort));
        if (!ports.containsKey(brokerId)) {
            open(brokerId, Optional.empty());
        }
    }

    /** Takes in which brokers there are now: why another one cannot be shown is of no interest before it comes back. */
    public void present(Set<Integer> brokerIds) {
        ports.forEach((brokerId, port) -> {
            if (port instanceof BrokerPort.Failed && !brokerIds.contains(brokerId)) {
                ports.remove(brokerId, port);
            }
        });
        report();
    }

    /** Tries once more to open the ports that could not be opened. */
    public void retry() {
        ports.forEach((brokerId, port) -> {
            if (port instanceof BrokerPort.Failed failed) {
                open(brokerId, Optional.of(failed));
            }
        });
    }

    /** Completes when no port is being opened any more. */
    public CompletableFuture<Void> settled() {
        return CompletableFuture.allOf(ports.values().stream()
                .filter(BrokerPort.Opening.class::isInstance)
                .map(port -> ((BrokerPort.Opening) port).opened())
                .toArray(CompletableFuture[]::new));
    }

    private void open(int brokerId, Optional<BrokerPort.Failed> tried) {
        Optional<String> before = tried.map(BrokerPort.Failed::reason);
        BrokerPort.Opening opening = new BrokerPort.Opening(new CompletableFuture<>(), before);
        boolean mine = tried.isPresent()
                ? ports.replace(brokerId, tried.get(), opening)
                : ports.putIfAbsent(brokerId, opening) == null;
        if (mine) {
            var unused = start(brokerId).whenComplete((done, failure) -> {
                ports.put(brokerId, failure == null ? new BrokerPort.Bound() : failed(brokerId, failure, before));
                report();
                opening.opened().complete(null);
            });
        }
    }

    /** One at a time, so that what is said last is what is true. */
    private synchronized void report() {
        SortedMap<Integer, String> now = troubles();
        if (!now.equals(reported)) {
            reported = now;
            troubled.accept(now);
        }
    }

    private static Optional<String> trouble(BrokerPort port) {
        if (port instanceof BrokerPort.Failed failed) {
            return Optional.of(failed.reason());
        }
        return port instanceof BrokerPort.Opening opening ? opening.trouble() : Optional.empty();
    }

    private CompletableFuture<Void> start(int brokerId) {
        return (long) basePort + brokerId > HIGHEST_PORT
                ? CompletableFuture.failedFuture(
                        new IllegalStateException("there is no port " + ((long) basePort + brokerId)))
                : opener.apply(brokerId);
    }

    /** Says it once, not at each try. */
    private static BrokerPort failed(int brokerId, Throwable failure, Optional<String> before) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        BrokerPort.Failed failed = new BrokerPort.Failed(String.valueOf(cause.getMessage()));
        if (!before.equals(Optional.of(failed.reason()))) {
            LOG.atError()
                    .addKeyValue("broker", brokerId)
                    .addKeyValue("reason", failed.reason())
                    .log("clients of this gateway cannot reach a broker; it is left out");
        }
        return failed;
    }

    /** Where the broker itself listens. */
    public Optional<BrokerAddress> upstreamOf(int brokerId) {
        return Optional.ofNullable(upstream.get(brokerId));
    }

    /** Where clients meet the broker; empty while it has no port here. */
    public Optional<BrokerAddress> shown(int brokerId) {
        return ports.get(brokerId) instanceof BrokerPort.Bound
                ? Optional.of(new BrokerAddress(host, basePort + brokerId))
                : Optional.empty();
    }

    /** The brokers that clients meet here. */
    public NavigableSet<Integer> ids() {
        NavigableSet<Integer> ids = new TreeSet<>();
        ports.forEach((id, port) -> {
            if (port instanceof BrokerPort.Bound) {
                ids.add(id);
            }
        });
        return ids;
    }

    /** Why brokers are not shown, by id; empty if all are. */
    public SortedMap<Integer, String> troubles() {
        SortedMap<Integer, String> troubles = new TreeMap<>();
        ports.forEach((id, port) -> trouble(port).ifPresent(reason -> troubles.put(id, reason)));
        return troubles;
    }
}
