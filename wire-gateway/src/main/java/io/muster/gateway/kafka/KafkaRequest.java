package io.muster.gateway.kafka;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.jspecify.annotations.Nullable;

/** A request whose header was read. The body is valid while its frame is, and is read only when asked for. */
public final class KafkaRequest {
    private static final int BYTES_BEFORE_CLIENT_ID = 8;
    private static final long NO_DEADLINE = Long.MAX_VALUE;

    private final ApiKeys api;
    private final short version;
    private final int correlationId;
    private final @Nullable String clientId;
    private final ByteBuffer body;
    private final long deadlineNanos;
    private @Nullable ApiMessage read;

    private KafkaRequest(ApiKeys api, short version, RequestHeaderData header, ByteBuffer body, long deadlineNanos) {
        this.api = api;
        this.version = version;
        this.correlationId = header.correlationId();
        this.clientId = header.clientId();
        this.body = body;
        this.deadlineNanos = deadlineNanos;
    }

    /** Reads the header of a frame as {@link #parse(ByteBuffer, long)} does, of a request that may take any time. */
    public static KafkaRequest parse(ByteBuffer frame) throws MalformedRequestException {
        return parse(frame, NO_DEADLINE);
    }

    /**
     * Reads the header of a frame without its length. ApiVersions may have any version, since Kafka answers each.
     *
     * @param deadlineNanos see {@link #deadlineNanos()}
     * @throws MalformedRequestException for an unknown API, a version newer than is known, or a header that cannot be read
     */
    public static KafkaRequest parse(ByteBuffer frame, long deadlineNanos) throws MalformedRequestException {
        if (frame.remaining() < BYTES_BEFORE_CLIENT_ID) {
            throw new MalformedRequestException("a frame of " + frame.remaining() + " bytes");
        }
        short key = frame.getShort(frame.position());
        short version = frame.getShort(frame.position() + Short.BYTES);
        if (!ApiKeys.hasId(key)) {
            throw new MalformedRequestException("unknown API key " + key);
        }
        ApiKeys api = ApiKeys.forId(key);
        if (api != ApiKeys.API_VERSIONS && (version < 0 || version > api.latestVersion())) {
            throw new MalformedRequestException(api.name + " of version " + version);
        }
        try {
            RequestHeaderData header =
                    new RequestHeaderData(new ByteBufferAccessor(frame), api.requestHeaderVersion(version));
            return new KafkaRequest(api, version, header, frame, deadlineNanos);
        } catch (RuntimeException e) {
            throw new MalformedRequestException("the header of a request cannot be read", e);
        }
    }

    public ApiKeys api() {
        return api;
    }

    public short version() {
        return version;
    }

    /** The version of the answer: that of the request, but 0 where Kafka answers ApiVersions of an unknown version. */
    public short answerVersion() {
        return api.isVersionSupported(version) ? version : 0;
    }

    public int correlationId() {
        return correlationId;
    }

    public @Nullable String clientId() {
        return clientId;
    }

    /**
     * About until when the client waits for the answer, on the clock of the connection's thread. It is set once, when the request
     * arrives: waiting for earlier requests and trying again share it.
     */
    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** The unread body; its position is not moved. */
    public ByteBuffer bodyBytes() {
        return body.duplicate();
    }

    /**
     * Reads the body, once; bytes after it are ignored, as Kafka does. The message must not be changed.
     *
     * @throws MalformedRequestException if the version is too old or the body cannot be read
     */
    public <M extends ApiMessage> M body(Class<M> type) throws MalformedRequestException {
        if (read != null) {
            return type.cast(read);
        }
        if (!api.isVersionSupported(version)) {
            throw new MalformedRequestException(api.name + " of version " + version);
        }
        try {
            ApiMessage message = api.messageType.newRequest();
            message.read(new ByteBufferAccessor(bodyBytes()), version);
            read = message;
            return type.cast(message);
        } catch (RuntimeException e) {
            throw new MalformedRequestException(api.name + " of version " + version + " cannot be read", e);
        }
    }

    /** The body if it was read, also when its frame is gone. */
    public Optional<ApiMessage> readBody() {
        return Optional.ofNullable(read);
    }
}
