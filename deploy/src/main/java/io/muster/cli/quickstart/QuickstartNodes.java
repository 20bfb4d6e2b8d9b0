package io.muster.cli.quickstart;

import io.muster.cli.server.NodeMain;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The three Muster nodes of the quickstart, each a process of its own with a gateway. */
final class QuickstartNodes implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    private final QuickstartLayout layout;
    private final List<ChildJvm> processes = new ArrayList<>();

    private QuickstartNodes(QuickstartLayout layout) {
        this.layout = layout;
    }

    /** Starts all nodes; returns before they are ready. */
    static QuickstartNodes start(QuickstartLayout layout, String upstream) throws IOException {
        QuickstartNodes nodes = new QuickstartNodes(layout);
        NewSecret.write(layout.secretFile());
        for (QuickstartLayout.LocalNode node : layout.nodes()) {
            Files.createDirectories(node.directory());
            Path config = node.directory().resolve("muster.yaml");
            Files.writeString(config, QuickstartNodeConfig.of(layout, node, upstream));
            nodes.processes.add(ChildJvm.start(
                    node.name(),
                    node.directory().resolve("muster.log"),
                    jvmOptions(node.id() == 1),
                    List.of(NodeMain.class.getName(), config.toString())));
        }
        return nodes;
    }

    private static List<String> jvmOptions(boolean first) {
        ClassArchives archives = ClassArchives.ofThisRun();
        List<String> options = new ArrayList<>(List.of("-Xmx256m"));
        options.addAll(ChildJvm.QUICK_START);
        options.addAll(first ? archives.useOrWrite("node") : archives.use("node"));
        return options;
    }

    /** Waits until every gateway takes connections; fails when nobody wants it any more. */
    void awaitReady(BooleanSupplier stopRequested) throws QuickstartException, InterruptedException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        for (QuickstartLayout.LocalNode node : layout.nodes()) {
            while (!accepts(node.gatewayPort())) {
                QuickstartException.throwIf(stopRequested);
                ensureAlive();
                if (System.nanoTime() > deadline) {
                    throw new QuickstartException(node.name() + " did not start within " + START_LIMIT.toSeconds()
                            + " s; see " + node.directory().resolve("muster.log"));
                }
                Thread.sleep(50);
            }
        }
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** Throws if a node has ended by itself. */
    void ensureAlive() throws QuickstartException {
        for (ChildJvm process : processes) {
            process.ensureAlive();
        }
    }

    /** How many nodes run; people are invited to kill some. */
    long aliveCount() {
        return processes.stream().filter(ChildJvm::isAlive).count();
    }

    List<Long> pids() {
        return processes.stream().map(ChildJvm::pid).toList();
    }

    /** Asks all to end at once, then waits for each. */
    @Override
    public void close() {
        processes.forEach(ChildJvm::terminate);
        processes.forEach(ChildJvm::close);
    }
}
