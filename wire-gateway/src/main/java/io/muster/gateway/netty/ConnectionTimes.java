package io.muster.gateway.netty;

import io.muster.gateway.upstream.ReadGate;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends connections that send no first request in time, that leave a request half sent, and that do nothing for long. A client that
 * waits for an answer is never idle.
 */
final class ConnectionTimes extends ChannelDuplexHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionTimes.class);

    private final Limits limits;
    private final LongSupplier nanoClock;
    private final LongSupplier halfFrameNanos;
    private final BooleanSupplier awaitsUs;
    private long activeNanos;
    private boolean first = true;
    private @Nullable ScheduledFuture<?> check;

    /**
     * How long things may take, nanoseconds.
     *
     * @param first from the connection to the end of the first request
     * @param request from the first to the last byte of a request
     * @param idle without any request or reply
     */
    record Limits(long first, long request, long idle) {
        static Limits of(ConnectionLimits limits) {
            return new Limits(
                    limits.firstRequest().toNanos(),
                    limits.request().toNanos(),
                    limits.idle().toNanos());
        }
    }

    /**
     * @param halfFrameNanos how long a half frame is here already; 0 if there is none
     * @param awaitsUs whether the client waits for an answer that is not there yet
     */
    ConnectionTimes(Limits limits, LongSupplier nanoClock, LongSupplier halfFrameNanos, BooleanSupplier awaitsUs) {
        this.limits = limits;
        this.nanoClock = nanoClock;
        this.halfFrameNanos = halfFrameNanos;
        this.awaitsUs = awaitsUs;
    }

    /** The time of one connection before its gateway. */
    static ConnectionTimes of(
            ConnectionLimits limits, KafkaFrameDecoder decoder, ReadGate gate, BooleanSupplier awaitsUs) {
        return new ConnectionTimes(Limits.of(limits), System::nanoTime, () -> decoder.halfFrameNanos(gate), awaitsUs);
    }

    /** The handler is there from the connection's first moment. */
    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        activeNanos = nanoClock.getAsLong();
        again(context, Math.min(limits.first(), limits.request()));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (check != null) {
            check.cancel(false);
        }
        context.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        first = false;
        activeNanos = nanoClock.getAsLong();
        context.fireChannelRead(frame);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        ChannelPromise written = promise.unvoid();
        var unused = written.addListener((ChannelFutureListener) done -> activeNanos = nanoClock.getAsLong());
        var unusedWrite = context.write(message, written);
    }

    private void again(ChannelHandlerContext context, long nanos) {
        check = context.executor()
                .schedule(() -> look(context), Math.max(nanos, TimeUnit.MILLISECONDS.toNanos(1)), TimeUnit.NANOSECONDS);
    }

    private void look(ChannelHandlerContext context) {
        long quiet = nanoClock.getAsLong() - activeNanos;
        long half = halfFrameNanos.getAsLong();
        if (first && quiet >= limits.first()) {
            end(context, "it sent no request in time");
        } else if (half >= limits.request()) {
            end(context, "it left a request half sent");
        } else if (quiet >= limits.idle() && !awaitsUs.getAsBoolean()) {
            end(context, "it was idle");
        } else {
            long untilQuiet = (first ? limits.first() : limits.idle()) - quiet;
            again(context, Math.min(limits.request() - half, untilQuiet > 0 ? untilQuiet : limits.idle()));
        }
    }

    private static void end(ChannelHandlerContext context, String why) {
        LOG.atDebug()
                .addKeyValue("client", context.channel().remoteAddress())
                .addKeyValue("reason", why)
                .log("a connection is closed");
        var unused = context.close();
    }
}
