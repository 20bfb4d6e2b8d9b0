package io.muster.gateway.netty;

import io.muster.gateway.kafka.KafkaFrames;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Lets a client begin to say who it is only when all that it sent before is answered, as a broker does: what Muster still has to ask
 * for those requests must not come between. Used on the client's event loop only.
 */
final class HandshakeTurn {
    private final Deque<ByteBuf> parked = new ArrayDeque<>();

    /**
     * Takes a frame if it has to wait.
     *
     * @param unanswered number of earlier requests
     */
    boolean park(ByteBuf frame, int unanswered) {
        boolean waits = !parked.isEmpty() || (unanswered > 0 && isHandshake(frame));
        if (waits) {
            parked.add(frame);
        }
        return waits;
    }

    /** Number of frames that wait. */
    int parked() {
        return parked.size();
    }

    /** Lets go on what need not wait any more. */
    void go(IntSupplier unanswered, Consumer<ByteBuf> on) {
        while (!parked.isEmpty() && (unanswered.getAsInt() == 0 || !isHandshake(parked.element()))) {
            on.accept(parked.remove());
        }
    }

    void close() {
        parked.forEach(ByteBuf::release);
        parked.clear();
    }

    private static boolean isHandshake(ByteBuf frame) {
        return frame.readableBytes() >= KafkaFrames.LENGTH_BYTES + Short.BYTES
                && frame.getShort(frame.readerIndex() + KafkaFrames.LENGTH_BYTES) == ApiKeys.SASL_HANDSHAKE.id;
    }
}
