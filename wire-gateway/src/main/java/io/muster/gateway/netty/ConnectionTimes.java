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

    private final TimeLimits limits;
    private final LongSupplier nanoClock;
    private final LongSupplier halfFrameNanos;
    private final BooleanSupplier awaitsUs;
    private long activeNanos;
    private boolean first = true;
    private boolean halfFrameDue;
    private @Nullable ScheduledFuture<?> check;
    private long checkNanos;

    /**
     * How long things may take, nanoseconds.
     *
     * @param first from the connection to the end of the first request
     * @param request from the first to the last byte of a request
     * @param idle without any request or reply
     */
    record TimeLimits(long first, long request, long idle) {
        static TimeLimits of(ConnectionLimits limits) {
            return new TimeLimits(
                    limits.firstRequest().toNanos(),
                    limits.request().toNanos(),
                    limits.idle().toNanos());
        }
    }

    /**
     * @param halfFrameNanos how long a half frame is here already, times not counted in which the channel was not read; 0 if there is none
     * @param awaitsUs whether the client waits for an answer that is not there yet
     */
    ConnectionTimes(TimeLimits limits, LongSupplier nanoClock, LongSupplier halfFrameNanos, BooleanSupplier awaitsUs) {
        this.limits = limits;
        this.nanoClock = nanoClock;
        this.halfFrameNanos = halfFrameNanos;
        this.awaitsUs = awaitsUs;
    }

    /** The time of one connection before its gateway. */
    static ConnectionTimes of(
            ConnectionLimits limits, KafkaFrameDecoder decoder, ReadGate gate, BooleanSupplier awaitsUs) {
        return new ConnectionTimes(
                TimeLimits.of(limits), System::nanoTime, () -> decoder.halfFrameNanos(gate), awaitsUs);
    }

    /** The handler is there from the connection's first moment. */
    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        activeNanos = nanoClock.getAsLong();
        lookIn(context, limits.first());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancel();
        context.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        first = false;
        activeNanos = nanoClock.getAsLong();
        context.fireChannelRead(frame);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        watchHalfFrame(context);
        context.fireChannelReadComplete();
    }

    /** Reading goes on, perhaps after a pause. */
    @Override
    public void read(ChannelHandlerContext context) {
        watchHalfFrame(context);
        context.read();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        ChannelPromise written = promise.unvoid();
        var unused = written.addListener((ChannelFutureListener) done -> activeNanos = nanoClock.getAsLong());
        var unusedWrite = context.write(message, written);
    }

    /** While the channel is not read, nobody can say when a half frame is overdue. */
    private void watchHalfFrame(ChannelHandlerContext context) {
        long half = halfFrameDue ? 0 : halfFrameNanos.getAsLong();
        if (half > 0
                && context.channel().isOpen()
                && ReadGate.of(context.channel()).isOpen()) {
            halfFrameDue = true;
            lookIn(context, limits.request() - half);
        }
    }

    /** Looks after this time, if not before. */
    private void lookIn(ChannelHandlerContext context, long nanos) {
        long at = nanoClock.getAsLong() + nanos;
        if (check != null && checkNanos - at <= 0) {
            return;
        }
        cancel();
        checkNanos = at;
        check = context.executor().schedule(() -> look(context), Math.max(nanos, 0), TimeUnit.NANOSECONDS);
    }

    private void cancel() {
        if (check != null) {
            check.cancel(false);
            check = null;
        }
    }

    private void look(ChannelHandlerContext context) {
        check = null;
        halfFrameDue = false;
        long quiet = nanoClock.getAsLong() - activeNanos;
        if (first && quiet >= limits.first()) {
            end(context, "it sent no request in time");
        } else if (halfFrameNanos.getAsLong() >= limits.request()) {
            end(context, "it left a request half sent");
        } else if (quiet >= limits.idle() && !awaitsUs.getAsBoolean()) {
            end(context, "it was idle");
        } else {
            long untilQuiet = (first ? limits.first() : limits.idle()) - quiet;
            lookIn(context, untilQuiet > 0 ? untilQuiet : limits.idle());
            watchHalfFrame(context);
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
