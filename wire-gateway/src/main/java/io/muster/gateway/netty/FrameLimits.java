package io.muster.gateway.netty;

import io.muster.gateway.kafka.KafkaFrames;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.Set;

/**
 * How large frames may be, in bytes without their length.
 *
 * @param least smaller ones hold no header
 * @param most larger ones end their connection
 * @param smaller API keys, the first two bytes of a request, that have a smaller limit
 * @param mostOfSmaller that limit
 */
record FrameLimits(int least, int most, Set<Short> smaller, int mostOfSmaller) {
    FrameLimits {
        smaller = Set.copyOf(smaller);
    }

    /** Bytes that must be there, the length included, before a large frame can be judged. */
    static final int HEAD_BYTES = KafkaFrames.LENGTH_BYTES + Short.BYTES;

    static FrameLimits of(int least, int most) {
        return new FrameLimits(least, most, Set.of(), most);
    }

    /**
     * The size of the frame that begins at the reader index, its length not counted.
     *
     * @param head its length at least; with {@link #HEAD_BYTES} the API key is judged, too
     */
    int sizeOf(ByteBuf head) {
        int size = head.getInt(head.readerIndex());
        if (size < least || size > most) {
            throw new CorruptedFrameException("a frame of " + size + " bytes");
        }
        if (size > mostOfSmaller && head.readableBytes() >= HEAD_BYTES) {
            short key = head.getShort(head.readerIndex() + KafkaFrames.LENGTH_BYTES);
            if (smaller.contains(key)) {
                throw new CorruptedFrameException("a request of " + size + " bytes with API key " + key);
            }
        }
        return size;
    }
}
