package io.muster.cluster.nodes;

import com.google.protobuf.ByteString;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One direction of an HTTP/2 connection that carries gRPC: its frames, and the messages that end in each. */
final class GrpcFrames {
    private static final int CLIENT_PREFACE_BYTES = 24;
    private static final int FRAME_HEADER_BYTES = 9;
    private static final int MESSAGE_HEADER_BYTES = 5;
    private static final byte DATA = 0;

    private final DataInputStream in;
    private final Map<Integer, ByteBuffer> unfinished = new HashMap<>();

    /**
     * @param bytes the frame as it came
     * @param messages uncompressed, without their headers
     */
    record Frame(ByteString bytes, List<ByteString> messages) {}

    GrpcFrames(InputStream in) {
        this.in = new DataInputStream(in);
    }

    /** What a client says before its first frame. */
    byte[] preface() throws IOException {
        return exactly(CLIENT_PREFACE_BYTES);
    }

    /** @throws EOFException if there are no more */
    Frame next() throws IOException {
        byte[] header = exactly(FRAME_HEADER_BYTES);
        int length = ByteBuffer.wrap(header).getInt() >>> 8;
        byte[] payload = exactly(length);
        ByteString all = ByteString.copyFrom(header).concat(ByteString.copyFrom(payload));
        int stream = ByteBuffer.wrap(header, 5, 4).getInt();
        return new Frame(all, header[3] == DATA ? messages(stream, payload) : List.of());
    }

    private List<ByteString> messages(int stream, byte[] payload) {
        ByteBuffer before = unfinished.getOrDefault(stream, ByteBuffer.allocate(0));
        ByteBuffer data = ByteBuffer.allocate(before.remaining() + payload.length)
                .put(before)
                .put(payload)
                .flip();
        List<ByteString> messages = new ArrayList<>();
        while (data.remaining() >= MESSAGE_HEADER_BYTES
                && data.remaining() >= MESSAGE_HEADER_BYTES + data.getInt(data.position() + 1)) {
            int length = data.getInt(data.position() + 1);
            data.position(data.position() + MESSAGE_HEADER_BYTES);
            messages.add(ByteString.copyFrom(data, length));
        }
        unfinished.put(stream, data);
        return messages;
    }

    private byte[] exactly(int count) throws IOException {
        byte[] bytes = new byte[count];
        in.readFully(bytes);
        return bytes;
    }
}
