package io.muster.gateway.netty;

import io.muster.gateway.kafka.KafkaFrames;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntSupplier;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Lets a client begin to say who it is only when all that it sent before is answered, as a broker does: what Muster still has to ask
 * for those requests must not come between. Used on the client's event loop only.
 */
final class HandshakeTurn {
    private final Deque<Parked> parked = new ArrayDeque<>();

    private record Parked(ByteBuf frame, long arrivedNanos) {}

    /** Takes a frame whose turn has come. */
    interface Next {
        void take(ByteBuf frame, long arrivedNanos);
    }

    /**
     * Takes a frame if it has to wait.
     *
     * @param unanswered number of earlier requests
     * @param arrivedNanos when it arrived
     */
    boolean park(ByteBuf frame, int unanswered, long arrivedNanos) {
        boolean waits = !parked.isEmpty() || (unanswered > 0 && isHandshake(frame));
        if (waits) {
            parked.add(new Parked(frame, arrivedNanos));
        }
        return waits;
    }

    /** Number of frames that wait. */
    int parked() {
        return parked.size();
    }

    /** Lets go on what need not wait any more. */
    void go(IntSupplier unanswered, Next next) {
        while (!parked.isEmpty()
                && (unanswered.getAsInt() == 0 || !isHandshake(parked.element().frame()))) {
            Parked first = parked.remove();
            next.take(first.frame(), first.arrivedNanos());
        }
    }

    void close() {
        parked.forEach(each -> each.frame().release());
        parked.clear();
    }

    private static boolean isHandshake(ByteBuf frame) {
        return frame.readableBytes() >= KafkaFrames.LENGTH_BYTES + Short.BYTES
                && frame.getShort(frame.readerIndex() + KafkaFrames.LENGTH_BYTES) == ApiKeys.SASL_HANDSHAKE.id;
    }
}
