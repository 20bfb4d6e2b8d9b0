package io.muster.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the memory of replies that clients have not taken yet, over all connections of a gateway. Large replies of upstream are read
 * only when there is room for them, one after the other. While the bound is reached, clients that take nothing are closed, the one
 * that has taken nothing for longest first. Any thread.
 */
final class ReplyMemory {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyMemory.class);
    private static final long COMPLAINT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LOOK_MILLIS = 250;

    private final long limitBytes;
    private final LongSupplier nanoClock;
    private final Deque<Share> waiting = new ArrayDeque<>();
    private final Set<PendingReplies> pending = new HashSet<>();
    private long usedBytes;
    /** What large replies of upstream take of it. */
    private long reservedBytes;

    private boolean looking;
    private long complainedNanos;

    ReplyMemory(long limitBytes, LongSupplier nanoClock) {
        this.limitBytes = limitBytes;
        this.nanoClock = nanoClock;
        this.complainedNanos = nanoClock.getAsLong() - COMPLAINT_NANOS;
    }

    /** The memory of the replies on one connection to upstream. */
    FrameMemory of(EventExecutor loop) {
        return new Share(loop);
    }

    long nanoTime() {
        return nanoClock.getAsLong();
    }

    synchronized long usedBytes() {
        return usedBytes;
    }

    /** A client's replies wait for it, or do not any more. */
    synchronized void waits(PendingReplies replies, boolean some) {
        if (some) {
            pending.add(replies);
        } else {
            pending.remove(replies);
        }
    }

    /** Counts replies that are there already. Where they are far too many, somebody goes at once. */
    synchronized void add(long bytes) {
        usedBytes += bytes;
        if (bytes < 0) {
            grant();
        } else if (usedBytes > limitBytes) {
            closeStalled(usedBytes > 2 * limitBytes ? 0 : STALLED_NANOS);
        }
    }

    private synchronized boolean reserve(Share share, int bytes) {
        if (waiting.isEmpty() && fits(bytes)) {
            take(bytes);
            return true;
        }
        share.wanted = bytes;
        waiting.add(share);
        if (!looking) {
            look();
        }
        return false;
    }

    private synchronized void cancel(Share share) {
        if (waiting.remove(share)) {
            grant();
        }
    }

    /** One that is larger than all memory waits for the other large ones only: small ones there are always. */
    private boolean fits(int bytes) {
        return usedBytes + bytes <= limitBytes || (bytes > limitBytes && reservedBytes == 0);
    }

    private void take(int bytes) {
        usedBytes += bytes;
        reservedBytes += bytes;
    }

    private synchronized void giveBack(int bytes) {
        usedBytes -= bytes;
        reservedBytes -= bytes;
        grant();
    }

    private void grant() {
        for (Share first = waiting.peek(); first != null && fits(first.wanted); first = waiting.peek()) {
            waiting.remove();
            take(first.wanted);
            first.granted();
        }
    }

    /** Looks for clients that take nothing, for as long as somebody waits. */
    private synchronized void look() {
        Share first = waiting.peek();
        looking = first != null;
        if (first != null) {
            closeStalled(STALLED_NANOS);
            var unused = first.loop.schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void closeStalled(long forNanos) {
        long now = nanoClock.getAsLong();
        Optional<PendingReplies> idlest = pending.stream()
                .filter(one -> now - one.takenNanos() >= forNanos)
                .min(Comparator.comparingLong(PendingReplies::takenNanos));
        if (idlest.isEmpty()) {
            return;
        }
        pending.remove(idlest.get());
        Channel channel = idlest.get().channel();
        if (now - complainedNanos >= COMPLAINT_NANOS) {
            complainedNanos = now;
            LOG.atWarn()
                    .addKeyValue("replyMemoryBytes", limitBytes)
                    .addKeyValue("client", channel.remoteAddress())
                    .log("replies that clients do not take fill the memory for them; the slowest clients are closed");
        }
        channel.eventLoop().execute(() -> {
            var unused = channel.close();
        });
    }

    /** The large replies of one connection to upstream. */
    private final class Share implements FrameMemory {
        private final EventExecutor loop;
        private int wanted;
        private int unused;
        private @Nullable Runnable whenRoom;

        Share(EventExecutor loop) {
            this.loop = loop;
        }

        private void granted() {
            int bytes = wanted;
            loop.execute(() -> {
                unused = bytes;
                Runnable next = whenRoom;
                whenRoom = null;
                if (next != null) {
                    next.run();
                }
            });
        }

        @Override
        public void collecting(int bytes) {}

        @Override
        public void progressed() {}

        @Override
        public boolean admit(int frameBytes, Runnable later) {
            whenRoom = later;
            if (reserve(this, frameBytes)) {
                whenRoom = null;
                unused = frameBytes;
                return true;
            }
            return false;
        }

        @Override
        public ByteBuf allocate(int capacity, int frameBytes) {
            int reserved = unused;
            unused = 0;
            return new TrackedBuf(capacity, frameBytes, new TrackedBuf.Tracker() {
                @Override
                public void grown(int bytes) {}

                @Override
                public void freed(int freed) {
                    giveBack(reserved);
                }
            });
        }

        @Override
        public void closed() {
            cancel(this);
            if (unused > 0) {
                giveBack(unused);
                unused = 0;
            }
        }
    }
}
