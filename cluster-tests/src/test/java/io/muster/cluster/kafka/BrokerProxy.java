package io.muster.cluster.kafka;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/** A proxy in front of a broker that can hold up one request, and all that follows it on its connection. */
public final class BrokerProxy implements AutoCloseable {
    private final AtomicReference<@Nullable Barrier> barrier = new AtomicReference<>();
    private final Relay relay;

    /** Where a request of one kind stops. */
    public static final class Barrier {
        private final ApiKeys api;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch lifted = new CountDownLatch(1);

        private Barrier(ApiKeys api) {
            this.api = api;
        }

        /** Waits until a request stands here. */
        public void awaitReached(Duration limit) throws InterruptedException {
            if (!reached.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("no " + api + " came within " + limit);
            }
        }

        /** Lets it go on. */
        public void lift() {
            lifted.countDown();
        }

        private void hold() throws InterruptedException {
            reached.countDown();
            lifted.await();
        }
    }

    /** Opens a proxy to this port of this machine. */
    public BrokerProxy(int destination) {
        this.relay = new Relay(destination, () -> new Relay.Drivers(this::drive, InputStream::transferTo));
    }

    /** The port where it begins. */
    public int port() {
        return relay.port();
    }

    /** Stops the next request of this kind, once. */
    public Barrier hold(ApiKeys api) {
        Barrier next = new Barrier(api);
        barrier.set(next);
        return next;
    }

    @Override
    public void close() {
        relay.close();
    }

    private void drive(InputStream from, OutputStream to) throws IOException, InterruptedException {
        DataInputStream in = new DataInputStream(from);
        DataOutputStream out = new DataOutputStream(to);
        while (true) {
            byte[] frame = in.readNBytes(in.readInt());
            short key = ByteBuffer.wrap(frame).getShort();
            Barrier standing = barrier.get();
            if (standing != null && standing.api.id == key && barrier.compareAndSet(standing, null)) {
                standing.hold();
            }
            out.writeInt(frame.length);
            out.write(frame);
            out.flush();
        }
    }
}
