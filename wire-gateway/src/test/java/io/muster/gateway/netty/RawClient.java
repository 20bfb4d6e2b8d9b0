package io.muster.gateway.netty;

import io.muster.gateway.kafka.KafkaFrames;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** A client of a gateway's port that sends just the bytes it is told to. */
final class RawClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket;
    private final DataInputStream in;

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
    }

    static byte[] frame(ApiKeys api, int version, int correlationId, ApiMessage body) {
        ByteBuffer frame = KafkaFrames.request(api, (short) version, "raw", correlationId, body);
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    RawClient send(ApiKeys api, int version, int correlationId, ApiMessage body) throws IOException {
        return send(frame(api, version, correlationId, body));
    }

    /** The next response without its length. */
    ByteBuffer receive() throws IOException {
        return ByteBuffer.wrap(in.readNBytes(in.readInt()));
    }

    /** The body of the next response, which must be one to such a request. */
    ApiMessage receive(ApiKeys api, int version) throws IOException {
        ByteBuffer response = receive();
        KafkaFrames.skipResponseHeader(response, api, (short) version);
        return KafkaFrames.readResponse(response, api, (short) version);
    }

    /** Waits until the gateway closes the connection; false if it sends something instead or stays silent. */
    boolean isClosed() throws IOException {
        try {
            return in.read() == -1;
        } catch (EOFException | SocketException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
