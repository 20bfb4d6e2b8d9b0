package io.muster.cluster.clients;

import io.muster.cluster.kafka.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A {@link CountingInstance} in a JVM of its own, so that it can be killed; what it does stands in a file that it writes. */
public final class ChildInstance implements StatefulInstance {
    /** How often the child writes what it does. */
    private static final long REPORT_MILLIS = 100;

    private final ChildProcess process;
    private final Path status;

    ChildInstance(CountingInstance.Application application, String name, Path stateDir) {
        this.status = stateDir.resolve(name + ".status");
        deleteStatus();
        List<String> mainAndArgs = List.of(
                ChildInstance.class.getName(),
                application.bootstrap(),
                application.id(),
                application.from(),
                application.to(),
                application.guarantee(),
                name,
                stateDir.toString());
        this.process = ChildProcess.start(
                "instance " + name,
                Path.of("target", "instances", application.id() + "-" + name + ".log"),
                List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                System.getProperty("java.class.path"),
                mainAndArgs);
    }

    private void deleteStatus() {
        try {
            Files.createDirectories(status.getParent());
            Files.deleteIfExists(status);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs an instance until the process is asked to end (SIGTERM): it then stops without leaving the group. */
    public static void main(String[] args) {
        CountingInstance.Application application =
                new CountingInstance.Application(args[0], args[1], args[2], args[3], args[4]);
        Path stateDir = Path.of(args[6]);
        CountingInstance instance = new CountingInstance(application, args[5], stateDir);
        Runtime.getRuntime().addShutdownHook(new Thread(instance::stopSilently));
        Path status = stateDir.resolve(args[5] + ".status");
        Path next = stateDir.resolve(args[5] + ".next");
        var unused = Executors.newSingleThreadScheduledExecutor()
                .scheduleWithFixedDelay(
                        () -> write(told(instance), next, status), 0, REPORT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static void write(Properties told, Path next, Path status) {
        try {
            try (var out = Files.newBufferedWriter(next)) {
                told.store(out, null);
            }
            Files.move(next, status, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Properties told(CountingInstance instance) {
        Properties told = new Properties();
        told.setProperty("running", Boolean.toString(instance.isRunning()));
        told.setProperty(
                "active",
                String.join(" ", instance.active().stream().map(String::valueOf).toList()));
        told.setProperty("restored", Long.toString(instance.mostRestored()));
        Throwable failure = instance.failure();
        if (failure != null) {
            told.setProperty("failure", failure.toString());
        }
        return told;
    }

    private Properties told() {
        Properties told = new Properties();
        if (Files.exists(status)) {
            try (var in = Files.newBufferedReader(status)) {
                told.load(in);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return told;
    }

    @Override
    public Set<Integer> active() {
        Set<Integer> active = new HashSet<>();
        if (process.isAlive()) {
            for (String partition : told().getProperty("active", "").split(" ")) {
                if (!partition.isEmpty()) {
                    active.add(Integer.valueOf(partition));
                }
            }
        }
        return active;
    }

    @Override
    public boolean isRunning() {
        return process.isAlive() && Boolean.parseBoolean(told().getProperty("running"));
    }

    @Override
    public long mostRestored() {
        return Long.parseLong(told().getProperty("restored", "0"));
    }

    @Override
    public @Nullable Throwable failure() {
        String failure = told().getProperty("failure");
        return failure == null ? null : new IllegalStateException(failure);
    }

    /** Kills it as {@code kill -9} does. */
    void kill() {
        process.kill();
    }

    @Override
    public void stopSilently() {
        process.stop();
    }

    @Override
    public void close() {
        process.kill();
    }
}
