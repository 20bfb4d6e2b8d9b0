package io.muster.cli.quickstart;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/**
 * A single-broker Apache Kafka (KRaft) as a child process, formatted with {@code group.version=0} and {@code streams.version=0},
 * so that nothing but Muster can answer the new group protocols.
 */
final class QuickstartKafka implements AutoCloseable {
    /** The only broker's id; gateways show it at their base port plus this. */
    static final int BROKER_ID = 0;

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final ChildJvm process;
    private final int port;

    private QuickstartKafka(ChildJvm process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Formats the data directory if it is new and starts the broker; returns before it is ready. */
    static QuickstartKafka start(Path dir, int port, int controllerPort) throws IOException, QuickstartException {
        Path data = dir.resolve("data");
        Files.createDirectories(dir);
        Path properties = dir.resolve("server.properties");
        Files.writeString(properties, properties(data, port, controllerPort));
        if (!Files.exists(data.resolve("meta.properties"))) {
            format(properties);
        }
        ChildJvm child = ChildJvm.start(
                "Kafka",
                dir.resolve("kafka.log"),
                List.of(
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlogback.configurationFile=io/muster/cli/quickstart/logback-kafka.xml"),
                List.of("kafka.Kafka", properties.toString()));
        return new QuickstartKafka(child, port);
    }

    private static String properties(Path data, int port, int controllerPort) {
        return """
                process.roles=broker,controller
                node.id=%1$d
                controller.quorum.bootstrap.servers=127.0.0.1:%3$d
                listeners=PLAINTEXT://127.0.0.1:%2$d,CONTROLLER://127.0.0.1:%3$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%2$d
                controller.listener.names=CONTROLLER
                listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
                log.dirs=%4$s
                offsets.topic.replication.factor=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                group.initial.rebalance.delay.ms=0
                """.formatted(BROKER_ID, port, controllerPort, data);
    }

    private static void format(Path properties) throws QuickstartException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        String[] args = {
            "format",
            "--cluster-id",
            Uuid.randomUuid().toString(),
            "--config",
            properties.toString(),
            "--standalone",
            "--feature",
            "group.version=0",
            "--feature",
            "streams.version=0"
        };
        int exit = StorageTool.execute(args, new PrintStream(said, true, StandardCharsets.UTF_8));
        if (exit != 0) {
            throw new QuickstartException(
                    "Kafka's data directory cannot be formatted: " + said.toString(StandardCharsets.UTF_8));
        }
    }

    /** Waits until the broker takes connections. */
    void awaitReady() throws QuickstartException, InterruptedException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!accepts()) {
            process.ensureAlive();
            if (System.nanoTime() > deadline) {
                throw new QuickstartException("Kafka did not start within " + START_LIMIT.toSeconds() + " s");
            }
            Thread.sleep(50);
        }
    }

    private boolean accepts() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    String bootstrap() {
        return "127.0.0.1:" + port;
    }

    ChildJvm process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }
}
