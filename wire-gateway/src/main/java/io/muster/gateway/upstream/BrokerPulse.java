package io.muster.gateway.upstream;

import io.muster.gateway.kafka.BrokerAddress;
import io.muster.gateway.kafka.KafkaFrames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Tells brokers that are silent from those that let one request wait: whoever waits for a broker has it asked for its versions on a
 * connection of its own, which any broker answers at once and to anybody. Asked only while nothing else is heard of the broker. Any
 * thread.
 */
public final class BrokerPulse {
    private static final short VERSION = 0;
    private static final String CLIENT_ID = "muster-pulse";
    private static final long SILENT_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long RETRY_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long COARSE_NANOS = Duration.ofMillis(20).toNanos();

    private final Supplier<ClientUpstreamConnection.Wiring> wirings;
    private final IntFunction<Optional<BrokerAddress>> addresses;
    private final LongSupplier nanoClock;
    private final Map<Integer, Pulse> pulses = new ConcurrentHashMap<>();

    /** @param wirings how each question connects; its event loop is used for that question */
    public BrokerPulse(
            Supplier<ClientUpstreamConnection.Wiring> wirings,
            IntFunction<Optional<BrokerAddress>> addresses,
            LongSupplier nanoClock) {
        this.wirings = wirings;
        this.addresses = addresses;
        this.nanoClock = nanoClock;
    }

    /** Something came from the broker. */
    public void heard(int brokerId) {
        of(brokerId).heard();
    }

    /**
     * Asks the broker whether it is alive.
     *
     * @param unlessHeardWithin nothing is asked if something was heard of it so recently
     */
    public void ask(int brokerId, Duration unlessHeardWithin) {
        of(brokerId).ask(unlessHeardWithin.toNanos());
    }

    /** For how long the broker has not answered although it was asked; 0 if it is not known to be silent. */
    public long silentNanos(int brokerId) {
        Pulse pulse = pulses.get(brokerId);
        return pulse == null ? 0 : pulse.silentNanos();
    }

    /** Whether the broker was asked some time ago, and has not answered. */
    public boolean isSilent(int brokerId) {
        return silentNanos(brokerId) > SILENT_NANOS;
    }

    private Pulse of(int brokerId) {
        return pulses.computeIfAbsent(brokerId, Pulse::new);
    }

    /** Nothing is expected of the connection but the answer. */
    private static final class Unheeding implements ClientUpstreamConnection.Listener {
        @Override
        public void writable(boolean writable) {}

        @Override
        public void ended() {}

        @Override
        public void closed() {}
    }

    /** What is known of one broker. */
    private final class Pulse {
        private final int brokerId;
        private volatile long heardNanos = nanoClock.getAsLong();
        private long askedNanos = heardNanos;
        private long triedNanos = heardNanos;

        Pulse(int brokerId) {
            this.brokerId = brokerId;
        }

        void heard() {
            long now = nanoClock.getAsLong();
            if (now - heardNanos > COARSE_NANOS) {
                heardNanos = now;
            }
        }

        /** Unanswered questions begin when the first of them was asked. */
        synchronized long silentNanos() {
            return askedNanos - heardNanos > 0 ? Math.max(1, nanoClock.getAsLong() - askedNanos) : 0;
        }

        void ask(long unlessHeardWithinNanos) {
            synchronized (this) {
                long now = nanoClock.getAsLong();
                boolean unanswered = askedNanos - heardNanos > 0;
                boolean soon = unanswered ? now - triedNanos < RETRY_NANOS : now - heardNanos < unlessHeardWithinNanos;
                if (soon) {
                    return;
                }
                triedNanos = now;
                askedNanos = unanswered ? askedNanos : now;
            }
            ClientUpstreamConnection.Wiring wiring = wirings.get();
            wiring.loop().execute(() -> ask(wiring));
        }

        private void ask(ClientUpstreamConnection.Wiring wiring) {
            ClientUpstreamConnection connection =
                    new ClientUpstreamConnection(wiring, () -> addresses.apply(brokerId), new Unheeding());
            var unused = wiring.loop().schedule(connection::close, RETRY_NANOS, TimeUnit.NANOSECONDS);
            ByteBuf frame = Unpooled.wrappedBuffer(
                    KafkaFrames.request(ApiKeys.API_VERSIONS, VERSION, CLIENT_ID, 0, new ApiVersionsRequestData()));
            connection.send(frame, Optional.of(new VersionsAnswer(connection)));
        }

        private final class VersionsAnswer implements ClientUpstreamConnection.Reply {
            private final ClientUpstreamConnection connection;

            VersionsAnswer(ClientUpstreamConnection connection) {
                this.connection = connection;
            }

            @Override
            public void received(ByteBuf frame) {
                frame.release();
                heard();
                connection.close();
            }

            /** A port that refuses, or a connection that ends, is no silence: whoever is connected notices it without help. */
            @Override
            public void lost(IOException reason) {
                if (!(reason instanceof BrokerSilentException) && !connection.isClosed()) {
                    heard();
                }
            }
        }
    }
}
