package io.muster.gateway.netty;

import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.upstream.ReadGate;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cuts frames out of the stream of bytes, each with its length before it, one after the other while the channel's {@link ReadGate} is
 * open. A bad length ends the connection.
 *
 * <p>The memory of a frame that does not arrive in one piece grows with what arrived of it, and is accounted for.
 */
final class KafkaFrameDecoder extends ChannelDuplexHandler {
    private static final int FIRST_BYTES = 512;
    private static final int STEPS_PER_TURN = 128;

    private final FrameLimits limits;
    private final FrameMemory memory;
    private final Deque<ByteBuf> received = new ArrayDeque<>();
    private @Nullable ByteBuf half;
    private long halfSinceNanos;
    private boolean draining;
    private boolean ended;

    KafkaFrameDecoder(FrameLimits limits, FrameMemory memory) {
        this.limits = limits;
        this.memory = memory;
    }

    /** How long the channel was read, and not paused, since the first byte of a frame that is not complete; 0 if there is none. */
    long halfFrameNanos(ReadGate gate) {
        return half == null ? 0 : System.nanoTime() - gate.closedNanos() - halfSinceNanos;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (ended) {
            bytes.release();
            return;
        }
        received.add(bytes);
        drain(context);
    }

    /** Reading goes on: first with what is here already. */
    @Override
    public void read(ChannelHandlerContext context) {
        drain(context);
        if (ReadGate.of(context.channel()).isOpen()) {
            context.read();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        end();
    }

    private void drain(ChannelHandlerContext context) {
        if (draining) {
            return;
        }
        draining = true;
        try {
            ReadGate gate = ReadGate.of(context.channel());
            int steps = 0;
            while (!ended && context.channel().isOpen() && gate.isOpen() && step(context, gate)) {
                if (++steps == STEPS_PER_TURN) {
                    letOthersGo(context, gate);
                }
            }
        } catch (CorruptedFrameException e) {
            end();
            context.fireExceptionCaught(e);
        } finally {
            draining = false;
        }
    }

    /**
     * One client's flood of small requests does not hold up the others of this event loop. The loop looks at its sockets before it
     * comes to tasks that were scheduled meanwhile, but after those that were just handed to it, for up to a second.
     */
    private static void letOthersGo(ChannelHandlerContext context, ReadGate gate) {
        gate.close(ReadGate.PauseReason.OTHERS_TURN, true);
        var unused = context.executor()
                .schedule(() -> gate.close(ReadGate.PauseReason.OTHERS_TURN, false), 0, TimeUnit.NANOSECONDS);
    }

    /** Whether there may be more to do. */
    private boolean step(ChannelHandlerContext context, ReadGate gate) {
        ByteBuf next = received.peek();
        if (next == null) {
            return false;
        }
        if (!next.isReadable()) {
            received.remove().release();
            return true;
        }
        if (half == null && next.readableBytes() >= KafkaFrames.LENGTH_BYTES) {
            int whole = KafkaFrames.LENGTH_BYTES + limits.sizeOf(next);
            if (next.readableBytes() >= whole) {
                context.fireChannelRead(next.readRetainedSlice(whole));
                return true;
            }
        }
        return collect(context, gate, next);
    }

    /** Takes as much of the next buffer as belongs to the frame that is not complete yet. */
    private boolean collect(ChannelHandlerContext context, ReadGate gate, ByteBuf next) {
        ByteBuf frame = half;
        if (frame == null) {
            frame = context.alloc().directBuffer(FIRST_BYTES);
            half = frame;
            halfSinceNanos = System.nanoTime() - gate.closedNanos();
        }
        int wanted = wanted(frame);
        if (wanted > FrameMemory.SMALL_BYTES && !(frame instanceof TrackedBuf)) {
            if (!memory.admit(FrameMemory.SMALL_BYTES, wanted, () -> roomFor(context))) {
                gate.close(ReadGate.PauseReason.NO_MEMORY, true);
                return false;
            }
            frame = moved(frame, wanted);
        }
        int some = Math.min(wanted - frame.readableBytes(), next.readableBytes());
        if (!hasRoom(context, frame, some, wanted)) {
            gate.close(ReadGate.PauseReason.NO_MEMORY, true);
            return false;
        }
        frame.writeBytes(next, some);
        memory.progressed();
        if (frame.readableBytes() == wanted && wanted(frame) == wanted) {
            complete(context, frame);
        } else if (!(frame instanceof TrackedBuf)) {
            memory.collecting(frame.capacity());
        }
        return true;
    }

    /** How many bytes are to be collected next: the length, what shows the kind of a large request, or the whole frame. */
    private int wanted(ByteBuf frame) {
        if (frame.readableBytes() < KafkaFrames.LENGTH_BYTES) {
            return KafkaFrames.LENGTH_BYTES;
        }
        int whole = KafkaFrames.LENGTH_BYTES + limits.sizeOf(frame);
        return whole > FrameMemory.SMALL_BYTES && frame.readableBytes() < FrameLimits.HEAD_BYTES
                ? FrameLimits.HEAD_BYTES
                : whole;
    }

    private void roomFor(ChannelHandlerContext context) {
        ReadGate.of(context.channel()).close(ReadGate.PauseReason.NO_MEMORY, false);
    }

    private ByteBuf moved(ByteBuf small, int whole) {
        ByteBuf large = memory.allocate(FrameMemory.SMALL_BYTES, whole);
        large.writeBytes(small);
        small.release();
        memory.collecting(0);
        half = large;
        return large;
    }

    /** Doubles, so that a frame is copied twice at most in all, and takes at most twice what arrived of it. */
    private boolean hasRoom(ChannelHandlerContext context, ByteBuf frame, int some, int whole) {
        int needed = frame.writerIndex() + some;
        if (needed <= frame.capacity()) {
            return true;
        }
        int capacity = (int) Math.min(whole, Math.max(needed, 2L * frame.capacity()));
        if (frame instanceof TrackedBuf && !memory.grow(capacity - frame.capacity(), () -> roomFor(context))) {
            return false;
        }
        var unused = frame.capacity(capacity);
        return true;
    }

    private void complete(ChannelHandlerContext context, ByteBuf frame) {
        half = null;
        memory.collecting(0);
        memory.completed();
        context.fireChannelRead(frame);
    }

    private void end() {
        if (ended) {
            return;
        }
        ended = true;
        received.forEach(ByteBuf::release);
        received.clear();
        if (half != null) {
            half.release();
            half = null;
        }
        memory.collecting(0);
        memory.closed();
    }
}
