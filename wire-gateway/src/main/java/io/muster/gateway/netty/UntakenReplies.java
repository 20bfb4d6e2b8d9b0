package io.muster.gateway.netty;

import io.muster.gateway.upstream.ReadGate;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelProgressiveFuture;
import io.netty.channel.ChannelProgressiveFutureListener;
import io.netty.channel.ChannelProgressivePromise;
import io.netty.channel.ChannelPromise;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the replies that one client has not taken yet: those that wait behind others and those that are being sent. A client that
 * does not take its replies is not read, and what still comes of what it asked before is bounded. On the channel's event loop only.
 */
final class UntakenReplies extends ChannelDuplexHandler implements ResponseOrderer.Behind {
    private static final Logger LOG = LoggerFactory.getLogger(UntakenReplies.class);

    /** No more requests are read while so much is ready but waits behind other replies. */
    private static final int BEHIND_BYTES = 1024 * 1024;

    private static final int STEP_BYTES = 16 * 1024;

    private final Channel channel;
    private final ReplyMemory memory;
    private final long mostBytes;
    private long bytes;
    private long behindBytes;
    private long countedBytes;
    private long sharedBytes;
    private boolean waits;
    private volatile boolean couldTake;
    private volatile long waitingSinceNanos;

    /** @param mostBytes a client is closed for whom more waits behind replies that are not ready or not taken */
    UntakenReplies(Channel channel, ReplyMemory memory, long mostBytes) {
        this.channel = channel;
        this.memory = memory;
        this.mostBytes = mostBytes;
        this.waitingSinceNanos = memory.nanoTime();
    }

    Channel channel() {
        return channel;
    }

    /** Whether there is something that the client could take. Any thread. */
    boolean clientCouldTake() {
        return couldTake;
    }

    /** Since when the client has taken nothing that it could take or, if there is nothing, since when replies wait behind others. Any thread. */
    long waitingSinceNanos() {
        return waitingSinceNanos;
    }

    @Override
    public void ready(ByteBuf reply) {
        behindBytes += reply.readableBytes();
        add(reply.readableBytes(), counted(reply));
        apply();
        if (behindBytes - reply.readableBytes() > mostBytes) {
            LOG.atInfo().addKeyValue("client", channel.remoteAddress()).log("a client does not take its replies");
            var unused = channel.close();
        }
    }

    @Override
    public void goes(ByteBuf reply) {
        behindBytes -= reply.readableBytes();
        add(-reply.readableBytes(), -counted(reply));
        apply();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        ByteBuf reply = (ByteBuf) message;
        int size = reply.readableBytes();
        long counted = counted(reply);
        add(size, counted);
        ChannelProgressivePromise written = context.newProgressivePromise();
        var unused = written.addListener(new Written(size, counted, promise));
        var unusedWrite = context.write(message, written);
        apply();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        apply();
        context.fireChannelWritabilityChanged();
    }

    private void apply() {
        ReadGate.of(channel)
                .close(ReadGate.PauseReason.REPLIES_UNREAD, !channel.isWritable() || behindBytes > BEHIND_BYTES);
    }

    private void add(long more, long counted) {
        boolean none = bytes == 0;
        bytes += more;
        countedBytes += counted;
        boolean could = bytes > behindBytes;
        if (none || could != couldTake) {
            waitingSinceNanos = memory.nanoTime();
            couldTake = could;
        }
        share();
    }

    /** Tells all connections' memory of many bytes only, so that ordinary replies cost no lock. */
    private void share() {
        long shared = countedBytes / STEP_BYTES * STEP_BYTES;
        if (shared != sharedBytes) {
            memory.add(shared - sharedBytes);
            sharedBytes = shared;
        }
        boolean now = bytes >= STEP_BYTES;
        if (now != waits) {
            waits = now;
            memory.waits(this, now);
        }
    }

    /** Upstream's large replies were counted before they were read. */
    private static long counted(ByteBuf reply) {
        return reply instanceof TrackedBuf ? 0 : reply.readableBytes();
    }

    private final class Written implements ChannelProgressiveFutureListener {
        private final int size;
        private final long counted;
        private final ChannelPromise promise;

        Written(int size, long counted, ChannelPromise promise) {
            this.size = size;
            this.counted = counted;
            this.promise = promise;
        }

        @Override
        public void operationProgressed(ChannelProgressiveFuture future, long progress, long total) {
            waitingSinceNanos = memory.nanoTime();
        }

        @Override
        public void operationComplete(ChannelProgressiveFuture future) {
            waitingSinceNanos = memory.nanoTime();
            add(-(long) size, -counted);
            if (promise.isVoid()) {
                return;
            }
            if (future.isSuccess()) {
                promise.trySuccess();
            } else {
                promise.tryFailure(future.cause());
            }
        }
    }
}
