package io.muster.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the memory of requests that have not arrived whole, and of large ones until upstream has taken them, over all connections of
 * a gateway. Who sends is never held up: when the bound is passed, the connection that has sent nothing for longest is closed, which
 * is never one that is just sending. Any thread.
 */
final class RequestMemory {
    private static final Logger LOG = LoggerFactory.getLogger(RequestMemory.class);
    private static final long COMPLAINT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final long limitBytes;
    private final Set<Share> shares = new HashSet<>();
    private long usedBytes;
    private long closed;
    private long complainedNanos = System.nanoTime() - COMPLAINT_NANOS;

    RequestMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** The memory of one connection. */
    FrameMemory of(Channel channel) {
        return new Share(channel);
    }

    synchronized long usedBytes() {
        return usedBytes;
    }

    private synchronized void change(Share share, long bytes) {
        if (share.evicted) {
            return;
        }
        share.bytes += bytes;
        usedBytes += bytes;
        if (share.bytes == 0) {
            shares.remove(share);
        } else {
            shares.add(share);
        }
        while (bytes > 0 && usedBytes > limitBytes) {
            Optional<Share> idlest = shares.stream().min(Comparator.comparingLong(one -> one.progressNanos));
            if (idlest.isEmpty()) {
                return;
            }
            evict(idlest.get());
        }
    }

    /** Its memory counts as free from now on, since it soon is. */
    private void evict(Share share) {
        usedBytes -= share.bytes;
        share.evicted = true;
        shares.remove(share);
        closed++;
        long now = System.nanoTime();
        if (now - complainedNanos >= COMPLAINT_NANOS) {
            complainedNanos = now;
            LOG.atWarn()
                    .addKeyValue("requestMemoryBytes", limitBytes)
                    .addKeyValue("client", share.channel.remoteAddress())
                    .addKeyValue("closedSoFar", closed)
                    .log("unfinished requests fill the memory for them; the connections that send nothing are closed");
        }
        share.channel.eventLoop().execute(() -> {
            var unused = share.channel.close();
        });
    }

    private final class Share implements FrameMemory, TrackedBuf.Tracker {
        private final Channel channel;
        private volatile long progressNanos = System.nanoTime();
        private long bytes;
        private boolean evicted;
        private int collecting;

        Share(Channel channel) {
            this.channel = channel;
        }

        @Override
        public void collecting(int now) {
            int more = now - collecting;
            collecting = now;
            if (more != 0) {
                change(this, more);
            }
        }

        @Override
        public void progressed() {
            progressNanos = System.nanoTime();
        }

        @Override
        public boolean admit(int frameBytes, Runnable whenRoom) {
            return true;
        }

        @Override
        public ByteBuf allocate(int capacity, int frameBytes) {
            return new TrackedBuf(capacity, frameBytes, this);
        }

        @Override
        public void grown(int more) {
            change(this, more);
        }

        @Override
        public void freed(int capacity) {
            change(this, -(long) capacity);
        }

        @Override
        public void closed() {}
    }
}
