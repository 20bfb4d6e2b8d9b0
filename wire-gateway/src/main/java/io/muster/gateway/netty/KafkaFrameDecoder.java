package io.muster.gateway.netty;

import io.muster.gateway.kafka.KafkaFrames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;

/** Cuts frames out of the stream of bytes, each with its length before it. A bad length ends the connection. */
final class KafkaFrameDecoder extends ByteToMessageDecoder {
    private final int minBytes;
    private final int maxBytes;

    /** @param minBytes least and most bytes of a frame, its length not counted */
    KafkaFrameDecoder(int minBytes, int maxBytes) {
        this.minBytes = minBytes;
        this.maxBytes = maxBytes;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < KafkaFrames.LENGTH_BYTES) {
            return;
        }
        int size = in.getInt(in.readerIndex());
        if (size < minBytes || size > maxBytes) {
            in.skipBytes(in.readableBytes());
            throw new CorruptedFrameException("a frame of " + size + " bytes");
        }
        if (in.readableBytes() >= KafkaFrames.LENGTH_BYTES + size) {
            out.add(in.readRetainedSlice(KafkaFrames.LENGTH_BYTES + size));
        }
    }
}
