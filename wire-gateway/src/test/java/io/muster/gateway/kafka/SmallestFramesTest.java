package io.muster.gateway.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData.Assignment;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/**
 * The smallest frames of ConsumerGroupHeartbeat 1 that fill every field, byte by byte: numbers are 0, strings are empty, arrays
 * have one element.
 */
class SmallestFramesTest {
    private static final short VERSION = 1;
    private static final Uuid NO_ID = Uuid.ZERO_UUID;

    private static final byte[] REQUEST = hex("""
            00000033 0044 0001 00000000 0000 00
            01 01 00000000 01 01 00000000
            02 01 01 01
            02 00000000000000000000000000000000 02 00000000 00
            00
            """);

    /** The 01 that begins the third line says that the assignment is there: every nullable struct has such a byte before it. */
    private static final byte[] RESPONSE = hex("""
            0000002f 00000000 00
            00000000 0000 01 01 00000000 00000000
            01 02 00000000000000000000000000000000 02 00000000 00 00
            00
            """);

    @Test
    void request_ofSmallestFrame_isReadFieldByField() throws MalformedRequestException {
        // Given
        ByteBuffer frame = ByteBuffer.wrap(REQUEST);
        assertThat(REQUEST).hasSize(55);
        assertThat(frame.getInt()).isEqualTo(51);

        // When
        KafkaRequest request = KafkaRequest.parse(frame);

        // Then
        assertThat(request.api()).isEqualTo(ApiKeys.CONSUMER_GROUP_HEARTBEAT);
        assertThat(request.version()).isEqualTo(VERSION);
        assertThat(request.correlationId()).isZero();
        assertThat(request.clientId()).isEmpty();
        assertThat(request.body(ConsumerGroupHeartbeatRequestData.class)).isEqualTo(smallestRequest());
    }

    @Test
    void request_written_isTheSmallestFrame() {
        // When
        ByteBuffer frame = KafkaFrames.request(ApiKeys.CONSUMER_GROUP_HEARTBEAT, VERSION, "", 0, smallestRequest());

        // Then
        assertThat(bytes(frame)).isEqualTo(REQUEST);
    }

    @Test
    void response_written_isTheSmallestFrame() throws MalformedRequestException {
        // Given
        KafkaRequest request = KafkaRequest.parse(
                ByteBuffer.wrap(REQUEST, KafkaFrames.LENGTH_BYTES, REQUEST.length - KafkaFrames.LENGTH_BYTES));

        // When
        ByteBuffer frame = KafkaFrames.response(request, smallestResponse(), ByteBuffer::allocate)
                .flip();

        // Then
        assertThat(RESPONSE).hasSize(51);
        assertThat(bytes(frame)).isEqualTo(RESPONSE);
    }

    @Test
    void response_ofSmallestFrame_isReadFieldByField() {
        // Given
        ByteBuffer frame =
                ByteBuffer.wrap(RESPONSE, KafkaFrames.LENGTH_BYTES, RESPONSE.length - KafkaFrames.LENGTH_BYTES);

        // When
        KafkaFrames.skipResponseHeader(frame, ApiKeys.CONSUMER_GROUP_HEARTBEAT, VERSION);

        // Then
        assertThat(KafkaFrames.readResponse(frame, ApiKeys.CONSUMER_GROUP_HEARTBEAT, VERSION))
                .isEqualTo(smallestResponse());
    }

    private static ConsumerGroupHeartbeatRequestData smallestRequest() {
        return new ConsumerGroupHeartbeatRequestData()
                .setInstanceId("")
                .setRackId("")
                .setRebalanceTimeoutMs(0)
                .setSubscribedTopicNames(List.of(""))
                .setSubscribedTopicRegex("")
                .setServerAssignor("")
                .setTopicPartitions(List.of(new ConsumerGroupHeartbeatRequestData.TopicPartitions()
                        .setTopicId(NO_ID)
                        .setPartitions(List.of(0))));
    }

    private static ConsumerGroupHeartbeatResponseData smallestResponse() {
        return new ConsumerGroupHeartbeatResponseData()
                .setErrorMessage("")
                .setMemberId("")
                .setAssignment(new Assignment()
                        .setTopicPartitions(List.of(new ConsumerGroupHeartbeatResponseData.TopicPartitions()
                                .setTopicId(NO_ID)
                                .setPartitions(List.of(0)))));
    }

    private static byte[] bytes(ByteBuffer frame) {
        byte[] bytes = new byte[frame.remaining()];
        frame.duplicate().get(bytes);
        return bytes;
    }

    private static byte[] hex(String dump) {
        return HexFormat.of().parseHex(dump.replaceAll("\\s", ""));
    }
}
