package io.muster.cluster.kafka;

import io.muster.cli.quickstart.TetheredMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A JVM of its own that tests may pause, resume and kill; it never outlives the tests, paused or not. */
public final class ChildProcess implements AutoCloseable {
    private static final Set<Process> STARTED = ConcurrentHashMap.newKeySet();
    private static final Duration TERM_LIMIT = Duration.ofSeconds(30);

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> STARTED.forEach(Process::destroyForcibly)));
    }

    private final String name;
    private final Path log;
    private final Process process;

    private ChildProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a JVM; returns before it has done anything.
     *
     * @param log file that its output is added to
     * @param classPath must hold {@link TetheredMain}
     * @param mainAndArgs the main class, then its arguments
     */
    public static ChildProcess start(
            String name, Path log, List<String> jvmOptions, String classPath, List<String> mainAndArgs) {
        return start(Surroundings.NONE, name, log, jvmOptions, classPath, mainAndArgs);
    }

    /**
     * What a process is put into.
     *
     * @param launcher a command that becomes the one that is added to it
     * @param environment variables on top of those of the tests
     */
    public record Surroundings(List<String> launcher, Map<String, String> environment) {
        public static final Surroundings NONE = new Surroundings(List.of(), Map.of());

        public Surroundings {
            launcher = List.copyOf(launcher);
            environment = Map.copyOf(environment);
        }
    }

    /** As {@link #start(String, Path, List, String, List)}, in other surroundings than the tests'. */
    public static ChildProcess start(
            Surroundings surroundings,
            String name,
            Path log,
            List<String> jvmOptions,
            String classPath,
            List<String> mainAndArgs) {
        List<String> command = new ArrayList<>(surroundings.launcher());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath, TetheredMain.class.getName()));
        command.addAll(mainAndArgs);
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(surroundings.environment());
            Process process = builder.start();
            STARTED.add(process);
            return new ChildProcess(name, log, process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public Path log() {
        return log;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Stops it in its tracks (SIGSTOP): it keeps its memory and its sockets, and does not notice the time that passes. When this
     * returns, none of its threads runs any more.
     */
    public void pause() {
        signal("STOP");
        Path threads = Path.of("/proc", Long.toString(pid()), "task");
        if (Files.isDirectory(threads)) {
            Awaitility.await(name + " to stand still")
                    .atMost(TERM_LIMIT)
                    .pollInterval(Duration.ofMillis(5))
                    .ignoreException(NoSuchFileException.class)
                    .until(() -> allStopped(threads));
        }
    }

    private static boolean allStopped(Path threads) throws IOException {
        try (Stream<Path> each = Files.list(threads)) {
            List<Path> all = each.toList();
            for (Path thread : all) {
                String state = Files.readString(thread.resolve("stat"));
                if (state.charAt(state.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        }
    }

    /** Lets it go on after {@link #pause()} (SIGCONT). */
    public void resume() {
        signal("CONT");
    }

    /** Kills it as {@code kill -9} does, and waits for its end. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Asks it to end (SIGTERM), and waits for that, 30 s at most. */
    public void stop() {
        process.destroy();
        awaitExit(TERM_LIMIT);
    }

    /**
     * Waits for its end.
     *
     * @return its exit code
     */
    public int awaitExit(Duration limit) {
        Awaitility.await(name + " to end, log " + log)
                .atMost(limit)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> !process.isAlive());
        return process.exitValue();
    }

    /** Waits until a line of its log contains the text; fails at once if the process ends without having said it. */
    public void awaitLine(String text, Duration limit) {
        Awaitility.await(name + " to say " + text + ", log " + log)
                .atMost(limit)
                .pollInterval(Duration.ofMillis(50))
                .failFast(name + " ended, log " + log, () -> !process.isAlive() && !hasSaid(text))
                .until(() -> hasSaid(text));
    }

    private boolean hasSaid(String text) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.anyMatch(line -> line.contains(text));
        }
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
                    .inheritIO()
                    .start();
            if (kill.onExit().join().exitValue() != 0) {
                throw new IllegalStateException(name + " (pid " + pid() + ") did not take SIG" + signal);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills it. */
    @Override
    public void close() {
        kill();
    }
}
