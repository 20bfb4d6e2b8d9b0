package io.muster.gateway.kafka;

import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.IntConsumer;

/**
 * The upstream brokers that are known, and the gateway's port for each: base port + broker id. Any thread.
 *
 * <p>A broker is never forgotten: its port stays, and leads to the address it was last seen at.
 */
public final class VirtualBrokers {
    private static final int HIGHEST_PORT = 65_535;

    private final String host;
    private final int basePort;
    private final IntConsumer opener;
    private final ConcurrentSkipListMap<Integer, BrokerAddress> known = new ConcurrentSkipListMap<>();

    /**
     * @param host the gateway as clients reach it
     * @param opener opens the port of a broker that was not known before; called before any client hears of it
     */
    public VirtualBrokers(String host, int basePort, IntConsumer opener) {
        this.host = host;
        this.basePort = basePort;
        this.opener = opener;
    }

    /** Takes in where a broker listens; negative ids and empty hosts, which stand for none, are ignored. */
    public void learn(int brokerId, String upstreamHost, int upstreamPort) {
        if (brokerId < 0 || upstreamHost.isEmpty()) {
            return;
        }
        BrokerAddress address = new BrokerAddress(upstreamHost, upstreamPort);
        if (address.equals(known.get(brokerId))) {
            return;
        }
        if (known.put(brokerId, address) == null) {
            open(brokerId);
        }
    }

    private void open(int brokerId) {
        try {
            if (port(brokerId) > HIGHEST_PORT) {
                throw new IllegalStateException("there is no port " + port(brokerId) + " for broker " + brokerId);
            }
            opener.accept(brokerId);
        } catch (RuntimeException e) {
            known.remove(brokerId);
            throw e;
        }
    }

    public Optional<BrokerAddress> upstreamOf(int brokerId) {
        return Optional.ofNullable(known.get(brokerId));
    }

    public NavigableSet<Integer> ids() {
        return known.keySet();
    }

    public String host() {
        return host;
    }

    public int port(int brokerId) {
        return basePort + brokerId;
    }
}
