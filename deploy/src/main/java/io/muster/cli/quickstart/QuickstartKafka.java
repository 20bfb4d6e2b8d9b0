package io.muster.cli.quickstart;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A single-broker Apache Kafka (KRaft) as a child process ({@link KafkaMain}).
 */
final class QuickstartKafka implements AutoCloseable {
    /** The only broker's id; gateways show it at their base port plus this. */
    static final int BROKER_ID = 0;

    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    private final ChildJvm process;
    private final int port;

    private QuickstartKafka(ChildJvm process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts the broker; returns before it is ready. */
    static QuickstartKafka start(Path dir, int port, int controllerPort) throws IOException {
        Path data = dir.resolve("data");
        Files.createDirectories(dir);
        Path properties = dir.resolve("server.properties");
        Files.writeString(properties, properties(data, port, controllerPort));
        List<String> jvmOptions = new ArrayList<>(
                List.of("-Xmx512m", "-Dlogback.configurationFile=io/muster/cli/quickstart/logback-kafka.xml"));
        jvmOptions.addAll(ChildJvm.QUICK_START);
        jvmOptions.addAll(ClassArchives.ofThisRun().useOrWrite("kafka"));
        ChildJvm child = ChildJvm.start(
                "Kafka",
                dir.resolve("kafka.log"),
                jvmOptions,
                List.of(KafkaMain.class.getName(), properties.toString(), data.toString()));
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

    /** Waits until the broker takes connections; fails when nobody wants it any more. */
    void awaitReady(BooleanSupplier stopRequested) throws QuickstartException, InterruptedException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!accepts()) {
            QuickstartException.throwIf(stopRequested);
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
