package io.muster.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the memory of requests that have not arrived whole, and of large ones until upstream has taken them, over all connections of
 * a gateway. A large request is read as far as there is room for it, the smaller ones first. When there is none for the next one, the
 * connections are closed whose unfinished request has not grown for a second, those first that hold most; who waits for room itself is
 * spared if that would not help. After some seconds without room any other connection goes, those first that hold most, be their
 * requests whole or not. Any thread.
 */
final class RequestMemory {
    private static final Logger LOG = LoggerFactory.getLogger(RequestMemory.class);
    private static final long COMPLAINT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final MemoryBudget budget;
    private final Set<Requests> holders = new HashSet<>();
    /** What connections that are being closed still hold. */
    private long leavingBytes;

    private long closed;
    private long complainedNanos;

    RequestMemory(long limitBytes, LongSupplier nanoClock) {
        this.budget = new MemoryBudget(limitBytes, nanoClock, this::makeRoom);
        this.complainedNanos = nanoClock.getAsLong() - COMPLAINT_NANOS;
    }

    /** The memory of one connection. */
    FrameMemory of(Channel channel) {
        return new Requests(channel);
    }

    long usedBytes() {
        return budget.usedBytes();
    }

    private synchronized void makeRoom(long waitedNanos) {
        boolean overdue = waitedNanos >= PATIENCE_NANOS;
        while (budget.missingBytes() > leavingBytes) {
            Optional<Requests> next = nextToClose(overdue);
            next.ifPresent(this::close);
            if (overdue || next.isEmpty()) {
                return;
            }
        }
    }

    private Optional<Requests> nextToClose(boolean overdue) {
        long now = budget.nanoTime();
        return holders.stream()
                .filter(one -> !one.leaving && !budget.isFirst(one.share))
                .filter(one -> overdue || stands(one, now))
                .max(Comparator.comparingLong((Requests one) -> one.bytes)
                        .thenComparingLong(one -> now - one.progressNanos));
    }

    private boolean stands(Requests one, long now) {
        return one.unfinished
                && now - one.progressNanos >= IDLE_NANOS
                && (!one.share.waits() || one.bytes >= budget.wantedBytes());
    }

    /** Its memory counts until it is free: what is whole may still be sent to upstream. */
    private void close(Requests requests) {
        requests.leaving = true;
        leavingBytes += requests.bytes;
        closed++;
        long now = budget.nanoTime();
        if (now - complainedNanos >= COMPLAINT_NANOS) {
            complainedNanos = now;
            LOG.atWarn()
                    .addKeyValue("requestMemoryBytes", budget.limitBytes())
                    .addKeyValue("client", requests.channel.remoteAddress())
                    .addKeyValue("closedSoFar", closed)
                    .log(
                            "requests fill the memory for them; connections that hold much of it and do not get on are closed");
        }
        requests.channel.eventLoop().execute(() -> {
            var unused = requests.channel.close();
        });
    }

    private synchronized void holds(Requests requests, long more) {
        requests.bytes += more;
        leavingBytes += requests.leaving ? more : 0;
        if (requests.bytes == 0) {
            holders.remove(requests);
        } else {
            holders.add(requests);
        }
    }

    /** The requests of one connection. */
    private final class Requests implements FrameMemory {
        private final Channel channel;
        private final MemoryBudget.Share share;
        private volatile long progressNanos = budget.nanoTime();
        private volatile boolean unfinished;
        private long bytes;
        private boolean leaving;
        private int collecting;

        Requests(Channel channel) {
            this.channel = channel;
            this.share = budget.new Share(channel.eventLoop());
        }

        /** Small requests are always taken, and bounded by their size. */
        @Override
        public void collecting(int now) {
            int more = now - collecting;
            if (more == 0) {
                return;
            }
            collecting = now;
            unfinished |= now > 0;
            budget.add(more);
            holds(this, more);
            if (more > 0 && budget.missingBytes() > 0) {
                makeRoom(0);
            }
        }

        @Override
        public void progressed() {
            progressNanos = budget.nanoTime();
        }

        @Override
        public boolean admit(int capacity, int frameBytes, Runnable whenRoom) {
            share.begin(frameBytes);
            return take(capacity, whenRoom);
        }

        @Override
        public boolean grow(int bytes, Runnable whenRoom) {
            return take(bytes, whenRoom);
        }

        private boolean take(int more, Runnable whenRoom) {
            boolean taken = share.take(more, whenRoom);
            if (taken) {
                holds(this, more);
            }
            return taken;
        }

        @Override
        public ByteBuf allocate(int capacity, int frameBytes) {
            unfinished = true;
            return new TrackedBuf(capacity, frameBytes, this::freed);
        }

        private void freed(int all) {
            progressed();
            budget.giveBack(all);
            holds(this, -(long) all);
        }

        @Override
        public void completed() {
            unfinished = false;
        }

        @Override
        public void closed() {
            share.close();
        }
    }
}
