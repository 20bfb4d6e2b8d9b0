package io.muster.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.concurrent.EventExecutor;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the memory of replies that clients have not taken yet, over all connections of a gateway. Large replies of upstream are read
 * only when there is room for them, one after the other. While the bound is reached, clients that take nothing are closed: first those
 * that could take something, the one that has taken nothing for longest before the others. Any thread.
 */
final class ReplyMemory {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyMemory.class);
    private static final long COMPLAINT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final MemoryBudget budget;
    private final Set<UntakenReplies> pending = new HashSet<>();
    private long complainedNanos;

    ReplyMemory(long limitBytes, LongSupplier nanoClock) {
        this.budget = new MemoryBudget(limitBytes, nanoClock, waitedNanos -> closeStalled(STALLED_NANOS));
        this.complainedNanos = nanoClock.getAsLong() - COMPLAINT_NANOS;
    }

    /** The memory of the replies on one connection to upstream. */
    FrameMemory of(EventExecutor loop) {
        return new LargeReplies(loop);
    }

    long nanoTime() {
        return budget.nanoTime();
    }

    long usedBytes() {
        return budget.usedBytes();
    }

    /** A client's replies wait for it, or do not any more. */
    synchronized void waits(UntakenReplies replies, boolean some) {
        if (some) {
            pending.add(replies);
        } else {
            pending.remove(replies);
        }
    }

    /** Counts replies that are there already. Where they are far too many, somebody goes at once. */
    void add(long bytes) {
        budget.add(bytes);
        long missing = bytes < 0 ? 0 : budget.usedBytes() - budget.limitBytes();
        if (missing > 0) {
            closeStalled(missing > budget.limitBytes() ? 0 : STALLED_NANOS);
        }
    }

    private synchronized void closeStalled(long forNanos) {
        long now = budget.nanoTime();
        Optional<UntakenReplies> slowest = pending.stream()
                .filter(one -> now - one.waitingSinceNanos() >= forNanos)
                .min(Comparator.comparing((UntakenReplies one) -> !one.clientCouldTake())
                        .thenComparingLong(UntakenReplies::waitingSinceNanos));
        if (slowest.isEmpty()) {
            return;
        }
        pending.remove(slowest.get());
        Channel channel = slowest.get().channel();
        if (now - complainedNanos >= COMPLAINT_NANOS) {
            complainedNanos = now;
            LOG.atWarn()
                    .addKeyValue("replyMemoryBytes", budget.limitBytes())
                    .addKeyValue("client", channel.remoteAddress())
                    .log("replies that clients do not take fill the memory for them; the slowest clients are closed");
        }
        channel.eventLoop().execute(() -> {
            var unused = channel.close();
        });
    }

    /** The large replies of one connection to upstream. */
    private final class LargeReplies implements FrameMemory {
        private final MemoryBudget.Share share;

        LargeReplies(EventExecutor loop) {
            this.share = budget.new Share(loop);
        }

        @Override
        public void collecting(int bytes) {}

        @Override
        public void progressed() {}

        /** Takes all that the reply will need. */
        @Override
        public boolean admit(int capacity, int frameBytes, Runnable whenRoom) {
            share.begin(0);
            return share.take(frameBytes, whenRoom);
        }

        @Override
        public boolean grow(int bytes, Runnable whenRoom) {
            return true;
        }

        @Override
        public ByteBuf allocate(int capacity, int frameBytes) {
            return new TrackedBuf(capacity, frameBytes, bytes -> budget.giveBack(frameBytes));
        }

        @Override
        public void completed() {}

        @Override
        public void closed() {
            share.close();
        }
    }
}
