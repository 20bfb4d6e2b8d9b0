package io.muster.cluster.conformance;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

/** One TCP connection that sends and receives frames, good ones and bad ones. */
final class KafkaConnection implements Closeable {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int LONGEST_FRAME = 100_000_000;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private int correlationId;

    KafkaConnection(Target target) throws IOException {
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(target.host(), target.port()), CONNECT_MILLIS);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** A request that was sent and not answered yet. */
    record Sent(ApiMessageType api, short version, int correlationId) {}

    /** The bytes of a request, without their length. */
    static byte[] encode(Sent request, String clientId, byte[] body) {
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey(request.api().apiKey())
                .setRequestApiVersion(request.version())
                .setCorrelationId(request.correlationId())
                .setClientId(clientId);
        byte[] head = JsonMessages.bytes(header, request.api().requestHeaderVersion(request.version()));
        return ByteBuffer.allocate(head.length + body.length)
                .put(head)
                .put(body)
                .array();
    }

    Sent send(ApiMessageType api, short version, String clientId, ApiMessage body) throws IOException {
        correlationId++;
        Sent request = new Sent(api, version, correlationId);
        byte[] payload = encode(request, clientId, JsonMessages.bytes(body, version));
        sendBytes(framed(payload.length, payload));
        return request;
    }

    /** Sends requests in one write. */
    List<Sent> sendAll(String clientId, List<PipelinedRequest> requests) throws IOException {
        List<Sent> sent = new ArrayList<>();
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (PipelinedRequest each : requests) {
            correlationId++;
            Sent request = new Sent(each.api(), (short) each.version(), correlationId);
            byte[] payload = encode(request, clientId, JsonMessages.bytes(each.message(), request.version()));
            frames.write(framed(payload.length, payload));
            sent.add(request);
        }
        sendBytes(frames.toByteArray());
        return sent;
    }

    /** Says that nothing more will be sent. */
    void shutDownOutput() throws IOException {
        socket.shutdownOutput();
    }

    void sendBytes(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /**
     * A payload behind a length.
     *
     * @param length what the frame says of itself, true or not
     */
    static byte[] framed(int length, byte[] payload) {
        return ByteBuffer.allocate(Integer.BYTES + payload.length)
                .putInt(length)
                .put(payload)
                .array();
    }

    /** Waits for the answer to a request, which must be the next one. */
    ApiMessage receive(Sent request, int timeoutMillis) throws IOException {
        byte[] frame = readFrame(timeoutMillis);
        int answered = ByteBuffer.wrap(frame).getInt();
        if (answered != request.correlationId()) {
            throw new IOException("correlation id " + answered + ", expected " + request.correlationId());
        }
        return decode(request.api(), request.version(), frame);
    }

    byte[] readFrame(int timeoutMillis) throws IOException {
        socket.setSoTimeout(timeoutMillis);
        int length = in.readInt();
        if (length < 0 || length > LONGEST_FRAME) {
            throw new IOException("bad response length " + length);
        }
        byte[] frame = new byte[length];
        in.readFully(frame);
        return frame;
    }

    /** A response, which must fill its frame. */
    static ApiMessage decode(ApiMessageType api, short version, byte[] frame) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(frame);
        ByteBufferAccessor accessor = new ByteBufferAccessor(buffer);
        new ResponseHeaderData().read(accessor, api.responseHeaderVersion(version));
        ApiMessage response = api.newResponse();
        response.read(accessor, version);
        if (buffer.hasRemaining()) {
            throw new IOException(buffer.remaining() + " bytes left after the response body");
        }
        return response;
    }

    /** Whether the peer closes the connection within the time. */
    boolean closedWithin(int timeoutMillis) throws IOException {
        socket.setSoTimeout(timeoutMillis);
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException stillOpen) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
