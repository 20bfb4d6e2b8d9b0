package io.muster.cli.quickstart;

import io.muster.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Everything on one machine: Kafka, three nodes with gateways, and a word-count application. */
@Command(
        name = "quickstart",
        description = "Runs Apache Kafka, three Muster nodes and a word-count application on this machine.")
public final class QuickstartCommand implements Callable<Integer> {
    private static final int ONCE_SENTENCES = 200;
    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final Duration ROUND_LIMIT = Duration.ofSeconds(5);
    private static final Duration ONCE_LIMIT = Duration.ofMinutes(5);

    @Option(
            names = "--port",
            defaultValue = "9092",
            description = "Port of the first gateway; the other two follow in steps of ten. Default: ${DEFAULT-VALUE}")
    private int port;

    @Option(
            names = "--data",
            description = "Directory to keep everything in. Default: a temporary one, removed at the end.")
    private @Nullable Path data;

    @Option(names = "--no-demo", description = "Leave the word-count application out.")
    private boolean noDemo;

    @Option(names = "--once", description = "Run the application until the counts are right, show its group, and end.")
    private boolean once;

    @Spec
    private @Nullable CommandSpec spec;

    private final CountDownLatch stopRequested = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path directory = directory();
        Thread hook = new Thread(this::stopAndWait, "quickstart-shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            run(directory);
            return 0;
        } catch (QuickstartException e) {
            err().println("muster quickstart: " + e.getMessage());
            return 1;
        } finally {
            if (data == null) {
                deleteTree(directory);
            }
            stopped.countDown();
        }
    }

    private Path directory() throws IOException {
        Path directory = data == null ? Files.createTempDirectory("muster-quickstart") : data;
        Files.createDirectories(directory);
        return directory.toAbsolutePath();
    }

    /** Ctrl-C and SIGTERM: the main thread ends what it started, and the virtual machine waits for it. */
    private void stopAndWait() {
        stopRequested.countDown();
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isStopRequested() {
        return stopRequested.getCount() == 0;
    }

    private void run(Path directory) throws QuickstartException, IOException, InterruptedException {
        QuickstartLayout layout = QuickstartLayout.of(directory, port);
        QuickstartFile.forget(directory);
        out().println("Starting Apache Kafka and three Muster nodes in " + directory + " ...");
        try (QuickstartKafka kafka =
                        QuickstartKafka.start(directory.resolve("kafka"), layout.kafkaPort(), layout.controllerPort());
                QuickstartNodes nodes = QuickstartNodes.start(layout, kafka.bootstrap())) {
            kafka.awaitReady(this::isStopRequested);
            nodes.awaitReady(this::isStopRequested);
            QuickstartFile.of(layout, kafka, nodes).write(directory);
            printAddresses(layout, nodes);
            if (noDemo) {
                stopRequested.await();
            } else {
                runDemo(layout, nodes);
            }
        }
    }

    private void runDemo(QuickstartLayout layout, QuickstartNodes nodes)
            throws QuickstartException, InterruptedException {
        try (WordCountDemo demo =
                new WordCountDemo(layout.bootstrap(), layout.directory().resolve("streams"))) {
            demo.start();
            if (once) {
                runOnce(layout, demo);
            } else {
                runUntilStopped(nodes, demo);
            }
        }
    }

    private void runOnce(QuickstartLayout layout, WordCountDemo demo) throws QuickstartException {
        demo.send(ONCE_SENTENCES);
        long deadline = System.nanoTime() + ONCE_LIMIT.toNanos();
        while (!demo.catchUp(Duration.ofMillis(200))) {
            if (isStopRequested()) {
                throw new QuickstartException("stopped before the counts were right");
            }
            if (System.nanoTime() > deadline) {
                throw new QuickstartException("the counts were not right within " + ONCE_LIMIT.toSeconds() + " s: "
                        + demo.counts() + " of " + demo.sentenceCount() + " sentences");
            }
        }
        out().println("Counted right: " + demo.counts().size() + " words in " + demo.sentenceCount() + " sentences.");
        String admin = layout.nodes().get(0).rpc();
        String secret = layout.secretFile().toString();
        show("groups", "describe", WordCount.GROUP, "--admin", admin, "--secret-file", secret);
        show("groups", "history", WordCount.GROUP, "--admin", admin, "--secret-file", secret);
    }

    /** One line of progress a second; a round takes longer while the counts have to catch up, five seconds at most. */
    private void runUntilStopped(QuickstartNodes nodes, WordCountDemo demo) throws QuickstartException {
        while (!isStopRequested()) {
            long begun = System.nanoTime();
            demo.send(2);
            boolean right = false;
            while (!isStopRequested() && isWithin(begun, right ? ROUND : ROUND_LIMIT)) {
                right = demo.catchUp(Duration.ofMillis(200));
            }
            out().printf(
                            "%d sentences, %d different words, counts %s; application %s, %d of %d nodes up%n",
                            demo.sentenceCount(),
                            demo.counts().size(),
                            right ? "right" : "catching up",
                            demo.streamsState(),
                            nodes.aliveCount(),
                            QuickstartLayout.NODES);
            out().flush();
        }
    }

    private static boolean isWithin(long begun, Duration limit) {
        return System.nanoTime() - begun < limit.toNanos();
    }

    private void show(String... args) throws QuickstartException {
        out().println();
        out().println("$ muster " + String.join(" ", args));
        out().flush();
        int exit = Main.execute(args);
        if (exit != 0) {
            throw new QuickstartException("muster " + String.join(" ", args) + " ended with " + exit);
        }
    }

    private void printAddresses(QuickstartLayout layout, QuickstartNodes nodes) {
        String admin = layout.nodes().get(0).rpc();
        out().println("Ready. Clients connect with bootstrap.servers=" + layout.bootstrap());
        out().println("Try, in another terminal:");
        out().println("  export MUSTER_SECRET_FILE=" + layout.secretFile());
        out().println("  muster cluster status --admin " + admin);
        if (!noDemo) {
            out().println("  muster groups describe " + WordCount.GROUP + " --admin " + admin);
            out().println("  muster groups history " + WordCount.GROUP + " --admin " + admin);
        }
        out().println("  kill -9 " + nodes.pids().get(0) + "    (one node may die; two others go on)");
        out().println("Addresses and process ids are in " + layout.directory().resolve("quickstart.json"));
        out().println(once ? "" : "Stop with Ctrl-C.");
        out().flush();
    }

    private PrintWriter out() {
        return spec == null
                ? new PrintWriter(System.out, true, StandardCharsets.UTF_8)
                : spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec == null
                ? new PrintWriter(System.err, true, StandardCharsets.UTF_8)
                : spec.commandLine().getErr();
    }

    private static void deleteTree(Path tree) throws IOException {
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
