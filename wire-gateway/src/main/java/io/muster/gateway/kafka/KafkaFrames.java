package io.muster.gateway.kafka;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.jspecify.annotations.Nullable;

/** Whole frames: length, header, body. */
public final class KafkaFrames {
    /** Bytes of the length before each frame. */
    public static final int LENGTH_BYTES = Integer.BYTES;

    /** Where in a request frame, its length included, the correlation id stands. */
    public static final int REQUEST_CORRELATION_ID_AT = LENGTH_BYTES + 2 * Short.BYTES;

    /** Where in a response frame, its length included, the correlation id stands. */
    public static final int RESPONSE_CORRELATION_ID_AT = LENGTH_BYTES;

    private KafkaFrames() {}

    /**
     * Writes the response to a request.
     *
     * @param buffer makes a buffer of so many bytes
     * @return the buffer, written to its end
     */
    public static ByteBuffer response(KafkaRequest request, ApiMessage body, IntFunction<ByteBuffer> buffer) {
        short version = request.answerVersion();
        ResponseHeaderData header = new ResponseHeaderData().setCorrelationId(request.correlationId());
        return frame(new Part(header, request.api().responseHeaderVersion(version)), new Part(body, version), buffer);
    }

    /** A request; its correlation id can be replaced in place. */
    public static ByteBuffer request(
            ApiKeys api, short version, @Nullable String clientId, int correlationId, ApiMessage body) {
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey(api.id)
                .setRequestApiVersion(version)
                .setClientId(clientId)
                .setCorrelationId(correlationId);
        return frame(new Part(header, api.requestHeaderVersion(version)), new Part(body, version), ByteBuffer::allocate)
                .flip();
    }

    /** Moves the position of a response without its length past its header. */
    public static void skipResponseHeader(ByteBuffer response, ApiKeys api, short version) {
        ResponseHeaderData header = new ResponseHeaderData();
        header.read(new ByteBufferAccessor(response), api.responseHeaderVersion(version));
    }

    /** Reads the body of a response. */
    public static ApiMessage readResponse(ByteBuffer body, ApiKeys api, short version) {
        ApiMessage message = api.messageType.newResponse();
        message.read(new ByteBufferAccessor(body), version);
        return message;
    }

    private record Part(Message message, short version) {
        int size(ObjectSerializationCache cache) {
            return message.size(cache, version);
        }

        void write(ByteBufferAccessor writable, ObjectSerializationCache cache) {
            message.write(writable, cache, version);
        }
    }

    private static ByteBuffer frame(Part header, Part body, IntFunction<ByteBuffer> allocated) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        int size = header.size(cache) + body.size(cache);
        ByteBuffer buffer = allocated.apply(LENGTH_BYTES + size);
        buffer.putInt(size);
        ByteBufferAccessor writable = new ByteBufferAccessor(buffer);
        header.write(writable, cache);
        body.write(writable, cache);
        return buffer;
    }
}
