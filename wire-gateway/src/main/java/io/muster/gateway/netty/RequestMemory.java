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
 * a gateway. A large request is read as far as there is room for it. When there is none, the connections are closed that have left a
 * request unfinished and sent nothing for a second; those that send go on when their memory is free. After some seconds without room
 * the connection goes that has got on least, be its request whole or not. Any thread.
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
            Optional<Requests> slowest = slowest(overdue);
            slowest.ifPresent(this::close);
            if (overdue || slowest.isEmpty()) {
                return;
            }
        }
    }

    private Optional<Requests> slowest(boolean overdue) {
        long now = budget.nanoTime();
        return holders.stream()
                .filter(one -> !one.leaving)
                .filter(one -> overdue
                        ? !budget.isFirst(one.share)
                        : one.unfinished && now - one.progressNanos >= IDLE_NANOS && !one.share.waits())
                .min(Comparator.comparingLong(one -> one.progressNanos));
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
                    .log("requests fill the memory for them; the connections that get on least are closed");
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
            return take(capacity, false, whenRoom);
        }

        @Override
        public boolean grow(int bytes, Runnable whenRoom) {
            return take(bytes, true, whenRoom);
        }

        private boolean take(int more, boolean grows, Runnable whenRoom) {
            boolean taken = share.take(more, grows, whenRoom);
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
