package io.muster.cluster.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.ElectionType;
import org.awaitility.Awaitility;

/**
 * A Kafka cluster (KRaft) of real brokers, each a process with its data on disk, that ends with the test. Brokers can be paused,
 * killed and started again; the first of them are also the controllers. The logs stay in {@code target/kafka}.
 */
public final class KafkaBrokers implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final String CLUSTER_ID = "bXVzdGVyLXRlc3RzLTAwMA";

    private final KafkaSetup setup;
    private final Path dir;
    private final List<Integer> ports;
    private final IntUnaryOperator advertised;
    private final List<Integer> controllerPorts;
    private final Map<Integer, ChildProcess> processes = new TreeMap<>();

    private KafkaBrokers(KafkaSetup setup, IntUnaryOperator advertised, Path dir) {
        this.setup = setup;
        this.advertised = advertised;
        this.dir = dir;
        List<Integer> free = TestPorts.find(setup.count() + setup.voters());
        this.ports = free.subList(0, setup.count());
        this.controllerPorts = free.subList(setup.count(), free.size());
    }

    /** Starts the brokers and waits until the cluster knows them all. */
    public static KafkaBrokers start(KafkaSetup setup) {
        return start(setup, IntUnaryOperator.identity());
    }

    /**
     * Starts brokers that others reach through other ports than their own.
     *
     * @param advertised from a broker's port, the one that it tells clients
     */
    public static KafkaBrokers start(KafkaSetup setup, IntUnaryOperator advertised) {
        KafkaBrokers brokers = new KafkaBrokers(setup, advertised, newDirectory());
        try {
            brokers.ids().forEach(brokers::format);
            brokers.ids().forEach(brokers::launch);
            brokers.ids().forEach(brokers::awaitReady);
            brokers.awaitCluster();
            return brokers;
        } catch (RuntimeException e) {
            brokers.close();
            throw e;
        }
    }

    /**
     * Starts brokers with the ids from 0.
     *
     * @param overrides server properties over those that make a small test cluster, for example
     *     {@code group.initial.rebalance.delay.ms}
     */
    public static KafkaBrokers start(KafkaVersion version, int count, Map<String, String> overrides) {
        return start(new KafkaSetup(version, count, overrides, Map.of()));
    }

    /** {@code host:port} of every broker, separated by commas. */
    public String bootstrap() {
        return ports.stream().map(port -> setup.host() + ":" + port).collect(Collectors.joining(","));
    }

    public int count() {
        return setup.count();
    }

    public int port(int id) {
        return ports.get(id);
    }

    public long pid(int id) {
        return process(id).pid();
    }

    /** The broker that is the active controller. */
    public int activeController() throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            return admin.describeMetadataQuorum().quorumInfo().get().leaderId();
        }
    }

    /** Spreads partitions over the brokers as they were when all was well. */
    public void electPreferredLeaders() throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            admin.electLeaders(ElectionType.PREFERRED, null).partitions().get();
        }
    }

    /** Kills a broker as {@code kill -9} does. */
    public void kill(int id) {
        process(id).kill();
    }

    /** Stops a broker in its tracks (SIGSTOP). */
    public void pause(int id) {
        process(id).pause();
    }

    /** Lets a paused broker go on (SIGCONT). */
    public void resume(int id) {
        process(id).resume();
    }

    /** Starts a broker again that was killed, with its data, and waits until it takes connections. */
    public void restart(int id) {
        launch(id);
        awaitReady(id);
    }

    @Override
    public void close() {
        processes.values().forEach(ChildProcess::close);
        ids().forEach(this::deleteData);
    }

    private List<Integer> ids() {
        return IntStream.range(0, setup.count()).boxed().toList();
    }

    private ChildProcess process(int id) {
        ChildProcess process = processes.get(id);
        if (process == null) {
            throw new IllegalStateException("broker " + id + " was never started");
        }
        return process;
    }

    private void format(int id) {
        try (var out = Files.newBufferedWriter(propertiesFile(id))) {
            properties(id).store(out, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command = new ArrayList<>(List.of("kafka.tools.StorageTool", "format"));
        command.addAll(List.of("--cluster-id", CLUSTER_ID));
        command.addAll(List.of("--config", propertiesFile(id).toString()));
        setup.features().forEach((feature, level) -> {
            if (setup.version().features().contains(feature)) {
                command.addAll(List.of("--feature", feature + "=" + level));
            }
        });
        Path log = dir.resolve("format-" + id + ".log");
        try (ChildProcess format = java("format " + id, log, "-Xmx128m", command)) {
            if (format.awaitExit(START_LIMIT) != 0) {
                throw new IllegalStateException("formatting failed, log " + log);
            }
        }
    }

    private Properties properties(int id) {
        Properties all = new Properties();
        boolean voter = id < setup.voters();
        all.setProperty("process.roles", voter ? "broker,controller" : "broker");
        all.setProperty("node.id", Integer.toString(id));
        all.setProperty("controller.quorum.voters", voters());
        String listener = "PLAINTEXT://" + setup.host() + ":" + ports.get(id);
        all.setProperty("listeners", voter ? listener + ",CONTROLLER://" + controller(id) : listener);
        all.setProperty(
                "advertised.listeners", "PLAINTEXT://" + setup.host() + ":" + advertised.applyAsInt(ports.get(id)));
        all.setProperty("controller.listener.names", "CONTROLLER");
        all.setProperty("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT");
        all.setProperty("log.dirs", data(id).toString());
        all.setProperty("offsets.topic.num.partitions", "4");
        all.setProperty("transaction.state.log.num.partitions", "4");
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            all.setProperty(topic + ".replication.factor", Integer.toString(Math.min(3, setup.count())));
        }
        all.setProperty("transaction.state.log.min.isr", "1");
        all.setProperty("share.coordinator.state.topic.min.isr", "1");
        all.setProperty("group.initial.rebalance.delay.ms", "0");
        setup.properties().forEach((key, value) -> all.setProperty(key, value.replace("{id}", Integer.toString(id))));
        return all;
    }

    private String voters() {
        return IntStream.range(0, setup.voters())
                .mapToObj(id -> id + "@" + controller(id))
                .collect(Collectors.joining(","));
    }

    private String controller(int id) {
        return "127.0.0.1:" + controllerPorts.get(id);
    }

    private void launch(int id) {
        List<String> command = List.of("kafka.Kafka", propertiesFile(id).toString());
        processes.put(id, java("broker " + id, dir.resolve("server-" + id + ".log"), "-Xmx512m", command));
    }

    private ChildProcess java(String name, Path log, String heap, List<String> mainAndArgs) {
        List<String> options = List.of(
                heap,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dlogback.configurationFile=io/muster/cli/quickstart/logback-kafka.xml");
        return ChildProcess.start(name, log, options, setup.version().classPath(), mainAndArgs);
    }

    private void awaitReady(int id) {
        ChildProcess process = process(id);
        Awaitility.await("broker " + id + ", log " + process.log())
                .atMost(START_LIMIT)
                .pollInterval(Duration.ofMillis(100))
                .failFast("broker " + id + " ended, log " + process.log(), () -> !process.isAlive())
                .until(() -> accepts(id));
    }

    private Admin admin() {
        Map<String, Object> config = new HashMap<>(setup.clients());
        config.put("bootstrap.servers", bootstrap());
        return Admin.create(config);
    }

    private void awaitCluster() {
        try (Admin admin = admin()) {
            Awaitility.await("all brokers in the cluster, logs in " + dir)
                    .atMost(START_LIMIT)
                    .pollInterval(Duration.ofMillis(100))
                    .ignoreException(ExecutionException.class)
                    .until(() -> admin.describeCluster().nodes().get().size() == setup.count());
        }
    }

    private boolean accepts(int id) {
        try (Socket socket = new Socket(setup.host(), ports.get(id))) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private Path propertiesFile(int id) {
        return dir.resolve("server-" + id + ".properties");
    }

    private Path data(int id) {
        return dir.resolve("data-" + id);
    }

    private static Path newDirectory() {
        try {
            Path parent = Files.createDirectories(Path.of("target", "kafka").toAbsolutePath());
            return Files.createTempDirectory(parent, "cluster-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void deleteData(int id) {
        if (!Files.exists(data(id))) {
            return;
        }
        try (var files = Files.walk(data(id))) {
            List<Path> deepestFirst = files.sorted((a, b) -> b.compareTo(a)).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
