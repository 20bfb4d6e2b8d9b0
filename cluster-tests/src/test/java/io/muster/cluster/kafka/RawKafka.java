package io.muster.cluster.kafka;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.message.SaslHandshakeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.ResponseHeader;

/** One connection to one broker or gateway port that sends exactly the request, in exactly the version, that it is told to. */
public final class RawKafka implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private int correlationId;

    public RawKafka(int port) {
        this(InetAddress.getLoopbackAddress().getHostAddress(), port);
    }

    public RawKafka(String host, int port) {
        try {
            this.socket = new Socket(host, port);
            this.in = new DataInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How long an answer may take from now on; without this, any time. */
    public RawKafka waitAtMost(Duration limit) {
        try {
            socket.setSoTimeout((int) limit.toMillis());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Says who is asking, by SASL/PLAIN; the password is the name. */
    public RawKafka as(String user) {
        call(
                ApiKeys.SASL_HANDSHAKE,
                1,
                new SaslHandshakeRequestData().setMechanism("PLAIN"),
                SaslHandshakeResponseData.class);
        return authenticate(user);
    }

    /** Says who is asking, after a handshake for SASL/PLAIN. */
    public RawKafka authenticate(String user) {
        byte[] credentials = ("\0" + user + "\0" + user).getBytes(StandardCharsets.UTF_8);
        SaslAuthenticateResponseData answer = call(
                ApiKeys.SASL_AUTHENTICATE,
                2,
                new SaslAuthenticateRequestData().setAuthBytes(credentials),
                SaslAuthenticateResponseData.class);
        if (answer.errorCode() != 0) {
            throw new IllegalStateException(user + " is not let in: " + answer.errorMessage());
        }
        return this;
    }

    /** Says who is asking as old clients do: after SaslHandshake 0 follow bare tokens, without requests around them. */
    public RawKafka asByBareTokens(String user) {
        call(
                ApiKeys.SASL_HANDSHAKE,
                0,
                new SaslHandshakeRequestData().setMechanism("PLAIN"),
                SaslHandshakeResponseData.class);
        byte[] token = ("\0" + user + "\0" + user).getBytes(StandardCharsets.UTF_8);
        try {
            socket.getOutputStream()
                    .write(ByteBuffer.allocate(4 + token.length)
                            .putInt(token.length)
                            .put(token)
                            .array());
            if (in.readInt() != 0) {
                throw new IllegalStateException("PLAIN answers with an empty token");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Sends the request and waits for the answer. */
    public <T extends ApiMessage> T call(ApiKeys api, int version, ApiMessage request, Class<T> type) {
        send(api, version, request);
        return type.cast(receive(api, version));
    }

    public void send(ApiKeys api, int version, ApiMessage request) {
        write(frame(api, version, request));
    }

    /** A request for {@link #sendTogether}. */
    public record Sending(ApiKeys api, int version, ApiMessage request) {}

    /** Sends the requests in one write, so that the receiver has the last when it begins with the first. */
    public void sendTogether(Sending... requests) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Sending one : requests) {
            all.writeBytes(frame(one.api(), one.version(), one.request()));
        }
        write(all.toByteArray());
    }

    private byte[] frame(ApiKeys api, int version, ApiMessage request) {
        RequestHeader header = new RequestHeader(api, (short) version, "raw", correlationId++);
        ByteBuffer head = MessageUtil.toByteBufferAccessor(header.data(), header.headerVersion())
                .buffer();
        ByteBuffer body =
                MessageUtil.toByteBufferAccessor(request, (short) version).buffer();
        ByteBuffer frame = ByteBuffer.allocate(4 + head.remaining() + body.remaining());
        frame.putInt(head.remaining() + body.remaining()).put(head).put(body);
        return frame.array();
    }

    private void write(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next answer, which must be one to this request. */
    public ApiMessage receive(ApiKeys api, int version) {
        try {
            byte[] frame = in.readNBytes(in.readInt());
            ByteBuffer buffer = ByteBuffer.wrap(frame);
            ResponseHeader.parse(buffer, api.responseHeaderVersion((short) version));
            ApiMessage response = api.messageType.newResponse();
            response.read(new ByteBufferAccessor(buffer), (short) version);
            return response;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
