package io.muster.cli.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A child process of this JVM, on the same class path, that ends with its parent. */
final class ChildJvm implements AutoCloseable {
    /** Options of a virtual machine that lives for a minute: little time for its own start, and none for peak speed. */
    static final List<String> QUICK_START = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:+UnlockDiagnosticVMOptions",
            // An archive of classes is used where it lies, not moved to a random address first.
            "-XX:ArchiveRelocationMode=0");

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String name;
    private final Path log;
    private final Process process;

    private ChildJvm(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a child.
     *
     * @param name for people
     * @param log file that takes its output, replaced if it exists
     * @param jvmOptions options of the virtual machine
     * @param mainAndArgs main class and its arguments
     */
    static ChildJvm start(String name, Path log, List<String> jvmOptions, List<String> mainAndArgs) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), TetheredMain.class.getName()));
        command.addAll(mainAndArgs);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new ChildJvm(name, log, process);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Throws with the last lines of its log if the child has ended. */
    void ensureAlive() throws QuickstartException {
        if (!process.isAlive()) {
            throw new QuickstartException(name + " ended with exit code " + process.exitValue() + "; the end of " + log
                    + ":\n" + lastLines());
        }
    }

    private String lastLines() {
        try (Stream<String> lines = Files.lines(log)) {
            List<String> all = lines.toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - 15), all.size()));
        } catch (IOException e) {
            return "(cannot be read: " + e.getMessage() + ")";
        }
    }

    /** Asks the child to end. */
    void terminate() {
        process.destroy();
    }

    /** Waits for the end of the child; after 20 s it is killed. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
