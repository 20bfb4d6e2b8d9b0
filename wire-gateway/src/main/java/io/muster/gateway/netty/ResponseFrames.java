package io.muster.gateway.netty;

import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ApiMessage;

/** Writes responses of Muster's own into buffers that a channel sends without copying them. */
final class ResponseFrames {
    private static final int FIRST_BYTES = 128;

    private ResponseFrames() {}

    /**
     * The whole frame of a response.
     *
     * @param allocator the channel's
     */
    static ByteBuf frame(KafkaRequest request, ApiMessage body, ByteBufAllocator allocator) {
        ByteBuf frame = allocator.ioBuffer(FIRST_BYTES);
        boolean written = false;
        try {
            var unused = KafkaFrames.response(request, body, size -> room(frame, size));
            written = true;
            return frame;
        } finally {
            if (!written) {
                frame.release();
            }
        }
    }

    /** The first so many bytes of the frame, which count as written. */
    private static ByteBuffer room(ByteBuf frame, int size) {
        if (size > frame.capacity()) {
            frame.capacity(size);
        }
        return frame.writerIndex(size).internalNioBuffer(0, size);
    }
}
