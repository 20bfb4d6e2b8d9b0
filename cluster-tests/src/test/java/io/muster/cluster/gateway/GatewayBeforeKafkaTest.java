package io.muster.cluster.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.core.CoordinatorConfig;
import io.muster.gateway.netty.Gateway;
import io.muster.gateway.netty.GatewayConfig;
import io.muster.gateway.upstream.UpstreamConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ordinary clients change nothing but {@code bootstrap.servers}, and bad ones hurt themselves only. */
class GatewayBeforeKafkaTest {
    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    private final ScriptedGroups groups = new ScriptedGroups();
    private Gateway gateway;
    private int port;

    @BeforeEach
    void start() throws Exception {
        port = freePort();
        gateway = new Gateway(
                GatewayConfig.of("127.0.0.1", "127.0.0.1", port),
                new UpstreamConfig(List.of(KAFKA.brokers().bootstrap().split(",")), "test", Map.of()),
                groups,
                CoordinatorConfig.defaults("test"));
        gateway.start().get(30, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void ordinaryClients_produceAndConsume_throughTheGateway() throws Exception {
        // Given
        createTopic("words");

        // When
        try (KafkaProducer<String, String> producer = producer("all")) {
            for (int i = 0; i < 100; i++) {
                var unused = producer.send(new ProducerRecord<>("words", "k" + i, "v" + i));
            }
        }
        try (KafkaProducer<String, String> producer = producer("0")) {
            var unused = producer.send(new ProducerRecord<>("words", "last", "unanswered"));
        }

        // Then
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = classicConsumer("classic")) {
            consumer.subscribe(List.of("words"));
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(one -> values.add(one.value()));
                return values.size() >= 101;
            });
            consumer.commitSync();
        }
        assertThat(values).hasSize(101).contains("v0", "v99", "unanswered");
        assertThat(groups.touched).contains("words");
    }

    @Test
    void cluster_asClientsSeeIt_isTheGateway() throws Exception {
        // Given
        try (Admin admin = Admin.create(properties())) {
            // When
            List<Node> nodes = List.copyOf(admin.describeCluster().nodes().get(30, TimeUnit.SECONDS));

            // Then
            assertThat(nodes).extracting(Node::port).containsExactly(port);
        }
    }

    @Test
    void listGroups_withAnOwnedGroup_showsItOnce() throws Exception {
        // Given
        try (Admin admin = Admin.create(properties())) {
            // When
            List<GroupListing> listed = List.copyOf(admin.listGroups().all().get(30, TimeUnit.SECONDS));

            // Then
            assertThat(listed).extracting(GroupListing::groupId).containsOnlyOnce(ScriptedGroups.OWNED);
        }
    }

    @Test
    void malformedFrames_closeTheirOwnConnectionOnly() throws Exception {
        // Given
        try (Socket good = connect()) {
            // When
            assertThat(isClosedAfter(ByteBuffer.allocate(4).putInt(-1).array())).isTrue();
            assertThat(isClosedAfter(
                            ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array()))
                    .isTrue();
            assertThat(isClosedAfter(ByteBuffer.allocate(14)
                            .putInt(10)
                            .putShort((short) 999)
                            .array()))
                    .isTrue();
            assertThat(isClosedAfter(truncated())).isTrue();

            // Then
            send(good, request(ApiKeys.METADATA, 12, 7, new MetadataRequestData().setTopics(null)));
            assertThat(receive(good).getInt()).isEqualTo(7);
        }
    }

    @Test
    void replies_ofAnsweredAndPassedRequests_keepTheOrder() throws Exception {
        // Given
        try (Socket socket = connect()) {
            // When
            send(socket, request(ApiKeys.METADATA, 12, 1, new MetadataRequestData().setTopics(null)));
            send(socket, request(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, 2, heartbeat()));
            send(socket, request(ApiKeys.METADATA, 12, 3, new MetadataRequestData().setTopics(null)));

            // Then
            assertThat(receive(socket).getInt()).isEqualTo(1);
            ByteBuffer second = receive(socket);
            assertThat(second.getInt()).isEqualTo(2);
            second.position(second.position() + 1);
            ConsumerGroupHeartbeatResponseData answer =
                    new ConsumerGroupHeartbeatResponseData(new ByteBufferAccessor(second), (short) 1);
            assertThat(answer.memberId()).isEqualTo("me");
            assertThat(receive(socket).getInt()).isEqualTo(3);
        }
    }

    private static ConsumerGroupHeartbeatRequestData heartbeat() {
        return new ConsumerGroupHeartbeatRequestData()
                .setGroupId(ScriptedGroups.OWNED)
                .setMemberId("me");
    }

    private static byte[] truncated() {
        byte[] whole = request(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, 1, heartbeat());
        byte[] part = Arrays.copyOf(whole, whole.length - 10);
        ByteBuffer.wrap(part).putInt(part.length - 4);
        return part;
    }

    private static byte[] request(ApiKeys api, int version, int correlationId, ApiMessage body) {
        return io.muster.gateway.kafka.KafkaFrames.request(api, (short) version, "raw", correlationId, body)
                .array();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static void send(Socket socket, byte[] frame) throws IOException {
        socket.getOutputStream().write(frame);
    }

    private static ByteBuffer receive(Socket socket) throws IOException {
        int size = ByteBuffer.wrap(socket.getInputStream().readNBytes(4)).getInt();
        return ByteBuffer.wrap(socket.getInputStream().readNBytes(size));
    }

    private boolean isClosedAfter(byte[] bytes) throws IOException {
        try (Socket socket = connect()) {
            send(socket, bytes);
            return socket.getInputStream().read() == -1;
        }
    }

    private void createTopic(String name) throws Exception {
        try (Admin admin = Admin.create(properties())) {
            admin.createTopics(List.of(new NewTopic(name, 3, (short) 1))).all().get(30, TimeUnit.SECONDS);
        }
    }

    private KafkaProducer<String, String> producer(String acks) {
        Properties properties = properties();
        properties.put("acks", acks);
        properties.put("enable.idempotence", acks.equals("all"));
        return new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
    }

    private KafkaConsumer<String, String> classicConsumer(String groupId) {
        Properties properties = properties();
        properties.put("group.id", groupId);
        properties.put("group.protocol", "classic");
        properties.put("auto.offset.reset", "earliest");
        return new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", "127.0.0.1:" + port);
        return properties;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
