package io.muster.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What clients meet at the ports of a gateway. */
class GatewayTest {
    private StandInBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = new StandInBroker();
    }

    @AfterEach
    void stop() throws Exception {
        broker.close();
    }

    @Test
    void apiVersions_ofUnknownVersion_isAnsweredInVersion0_andTheConnectionStays() throws Exception {
        try (OpenGateway gateway = before();
                RawClient client = new RawClient(gateway.port(0))) {
            for (int version : new int[] {99, Short.MAX_VALUE, -1, Short.MIN_VALUE}) {
                // When
                client.send(unknownApiVersions(version));

                // Then
                ApiVersionsResponseData answer = (ApiVersionsResponseData) client.receive(ApiKeys.API_VERSIONS, 0);
                assertThat(answer.errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
                assertThat(answer.apiKeys()).extracting("apiKey").containsExactly(ApiKeys.API_VERSIONS.id);
            }
            client.send(ApiKeys.METADATA, 12, 7, new MetadataRequestData().setTopics(null));
            assertThat(client.receive().getInt()).isEqualTo(7);
        }
    }

    @Test
    void produceWithoutAcks_toADeadBroker_closesTheConnection() throws Exception {
        // Given
        try (ServerSocket once = OpenGateway.listening(0)) {
            broker.names(1, once.getLocalPort());
        }
        try (OpenGateway gateway = before();
                RawClient client = new RawClient(gateway.port(1))) {
            // When
            client.send(ApiKeys.PRODUCE, 9, 1, new ProduceRequestData().setAcks((short) 0));

            // Then
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void brokerWhosePortIsTaken_isLeftOut_andTheOthersServe() throws Exception {
        // Given
        int basePort = OpenGateway.freePorts();
        broker.names(1, broker.port());
        broker.names(50_000, broker.port());
        try (ServerSocket taken = OpenGateway.listening(basePort + 1);
                OpenGateway gateway = OpenGateway.at(basePort, broker, new NoGroups(), UnaryOperator.identity());
                RawClient client = new RawClient(gateway.port(0))) {
            assertThat(taken.isBound()).isTrue();

            // When
            client.send(ApiKeys.METADATA, 12, 7, new MetadataRequestData().setTopics(null));

            // Then
            MetadataResponseData answer = (MetadataResponseData) client.receive(ApiKeys.METADATA, 12);
            assertThat(answer.brokers()).extracting("nodeId").containsExactly(0);
        }
    }

    private OpenGateway before() throws Exception {
        return OpenGateway.before(broker, new NoGroups(), UnaryOperator.identity());
    }

    private static byte[] unknownApiVersions(int version) {
        byte[] frame = RawClient.frame(ApiKeys.API_VERSIONS, version >= 3 ? 3 : 0, 1, new ApiVersionsRequestData());
        ByteBuffer.wrap(frame).putShort(6, (short) version);
        return frame;
    }
}
