package io.muster.cluster.kafka;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way to a broker, on which one request, and all that follows it on its connection, can be held up for as long as a test likes. */
public final class Road implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Road.class);

    private final ServerSocket entrance;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Barrier> barrier = new AtomicReference<>();

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

    /** Opens a way that ends at this port of this machine. */
    public Road(int destination) {
        try {
            this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(() -> accept(destination), entrance);
    }

    /** The port where it begins. */
    public int port() {
        return entrance.getLocalPort();
    }

    /** Stops the next request of this kind, once. */
    public Barrier hold(ApiKeys api) {
        Barrier next = new Barrier(api);
        barrier.set(next);
        return next;
    }

    @Override
    public void close() {
        close(entrance);
        open.forEach(Road::close);
    }

    private void accept(int destination) throws IOException {
        while (true) {
            Socket from = entrance.accept();
            open.add(from);
            try {
                Socket to = new Socket(InetAddress.getLoopbackAddress(), destination);
                open.add(to);
                start(() -> drive(from, to), from, to);
                start(() -> to.getInputStream().transferTo(from.getOutputStream()), from, to);
            } catch (ConnectException nobodyThere) {
                from.close();
            }
        }
    }

    private void drive(Socket from, Socket to) throws IOException, InterruptedException {
        DataInputStream in = new DataInputStream(from.getInputStream());
        DataOutputStream out = new DataOutputStream(to.getOutputStream());
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

    private interface Traffic {
        void run() throws IOException, InterruptedException;
    }

    /** Runs until a side ends, then ends the others. */
    private static void start(Traffic traffic, Closeable... sides) {
        Thread thread = new Thread(
                () -> {
                    try {
                        traffic.run();
                    } catch (IOException sideEnded) {
                        LOG.debug("a side ended", sideEnded);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    for (Closeable side : sides) {
                        close(side);
                    }
                },
                "road");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Closeable side) {
        try {
            side.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
