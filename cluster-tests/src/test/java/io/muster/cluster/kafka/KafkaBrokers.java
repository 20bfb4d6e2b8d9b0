package io.muster.cluster.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * A Kafka cluster (KRaft) of real brokers, each a process with its data on disk, that ends with the test. Brokers can be killed and
 * started again; broker 0 is also the controller.
 */
public final class KafkaBrokers implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(90);

    private final KafkaVersion version;
    private final Path dir;
    private final Map<String, String> overrides;
    private final List<Integer> ports;
    private final int controllerPort;
    private final Map<Integer, Process> processes = new TreeMap<>();

    private KafkaBrokers(KafkaVersion version, Path dir, int count, Map<String, String> overrides) throws IOException {
        this.version = version;
        this.dir = dir;
        this.overrides = overrides;
        List<Integer> free = freePorts(count + 1);
        this.ports = free.subList(0, count);
        this.controllerPort = free.get(count);
    }

    /**
     * Starts brokers with the ids from 0 and waits until they take connections.
     *
     * @param overrides server properties over those that make a small test cluster, for example
     *     {@code group.initial.rebalance.delay.ms}
     */
    public static KafkaBrokers start(KafkaVersion version, int count, Map<String, String> overrides)
            throws IOException {
        KafkaBrokers brokers =
                new KafkaBrokers(version, Files.createTempDirectory("muster-kafka"), count, Map.copyOf(overrides));
        for (int id = 0; id < count; id++) {
            brokers.format(id);
        }
        for (int id = 0; id < count; id++) {
            brokers.launch(id);
        }
        for (int id = 0; id < count; id++) {
            brokers.awaitReady(id);
        }
        return brokers;
    }

    /** {@code host:port} of every broker, separated by commas. */
    public String bootstrap() {
        return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    public int port(int id) {
        return ports.get(id);
    }

    public long pid(int id) {
        return process(id).pid();
    }

    /** Kills a broker as {@code kill -9} does. */
    public void kill(int id) {
        Process process = process(id).destroyForcibly();
        process.onExit().join();
    }

    /** Starts a broker again that was killed, and waits until it takes connections. */
    public void restart(int id) throws IOException {
        launch(id);
        awaitReady(id);
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
        processes.values().forEach(process -> process.onExit().join());
        deleteData();
    }

    private Process process(int id) {
        Process process = processes.get(id);
        if (process == null) {
            throw new IllegalStateException("broker " + id + " was never started");
        }
        return process;
    }

    private void format(int id) throws IOException {
        Path properties = dir.resolve("server-" + id + ".properties");
        Properties all = properties(id);
        try (var out = Files.newBufferedWriter(properties)) {
            all.store(out, null);
        }
        Path said = dir.resolve("format-" + id + ".log");
        Process process = java(said, List.of("-Xmx128m"))
                .command(command(
                        List.of("-Xmx128m"),
                        List.of(
                                "kafka.tools.StorageTool",
                                "format",
                                "--cluster-id",
                                "bXVzdGVyLXRlc3RzLTAwMA",
                                "--config",
                                properties.toString())))
                .start();
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException("formatting failed: " + Files.readString(said));
        }
    }

    private Properties properties(int id) {
        Properties all = new Properties();
        all.setProperty("process.roles", id == 0 ? "broker,controller" : "broker");
        all.setProperty("node.id", Integer.toString(id));
        all.setProperty("controller.quorum.voters", "0@127.0.0.1:" + controllerPort);
        String listener = "PLAINTEXT://127.0.0.1:" + ports.get(id);
        all.setProperty("listeners", id == 0 ? listener + ",CONTROLLER://127.0.0.1:" + controllerPort : listener);
        all.setProperty("advertised.listeners", listener);
        all.setProperty("controller.listener.names", "CONTROLLER");
        all.setProperty("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT");
        all.setProperty("log.dirs", dir.resolve("data-" + id).toString());
        all.setProperty("offsets.topic.num.partitions", "4");
        all.setProperty("transaction.state.log.num.partitions", "4");
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            all.setProperty(topic + ".replication.factor", Integer.toString(Math.min(3, ports.size())));
        }
        all.setProperty("transaction.state.log.min.isr", "1");
        all.setProperty("share.coordinator.state.topic.min.isr", "1");
        all.setProperty("group.initial.rebalance.delay.ms", "0");
        all.putAll(overrides);
        return all;
    }

    private void launch(int id) throws IOException {
        List<String> options = List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
        Path said = dir.resolve("server-" + id + ".log");
        Path properties = dir.resolve("server-" + id + ".properties");
        processes.put(
                id,
                java(said, options)
                        .command(command(options, List.of("kafka.Kafka", properties.toString())))
                        .start());
    }

    private static ProcessBuilder java(Path said, List<String> options) {
        return new ProcessBuilder(options)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(said.toFile()));
    }

    private List<String> command(List<String> options, List<String> mainAndArgs) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        command.add("-Dlogback.configurationFile=io/muster/cli/quickstart/logback-kafka.xml");
        command.addAll(List.of("-cp", version.classPath(), "io.muster.cli.quickstart.TetheredMain"));
        command.addAll(mainAndArgs);
        return command;
    }

    private void awaitReady(int id) {
        Awaitility.await("broker " + id + ", log in " + dir)
                .atMost(START_LIMIT)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> accepts(ports.get(id)));
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    private void deleteData() {
        try (var files = Files.walk(dir)) {
            List<Path> deepestFirst = files.sorted((a, b) -> b.compareTo(a)).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
