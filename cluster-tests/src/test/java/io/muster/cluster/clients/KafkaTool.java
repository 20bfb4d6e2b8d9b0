package io.muster.cluster.clients;

import io.muster.cluster.kafka.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A command line tool of Kafka's own, as its shell scripts run it. */
enum KafkaTool {
    CONSUMER_GROUPS("org.apache.kafka.tools.consumer.group.ConsumerGroupCommand"),
    STREAMS_GROUPS("org.apache.kafka.tools.streams.StreamsGroupCommand"),
    SHARE_GROUPS("org.apache.kafka.tools.consumer.group.ShareGroupCommand"),
    GROUPS("org.apache.kafka.tools.GroupsCommand"),
    CONFIGS("org.apache.kafka.tools.ConfigCommand");

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final String mainClass;

    KafkaTool(String mainClass) {
        this.mainClass = mainClass;
    }

    /** Runs it with these arguments; returns what it printed. */
    String run(Path dir, String bootstrap, String... arguments) {
        List<String> command = new ArrayList<>(List.of(mainClass, "--bootstrap-server", bootstrap));
        command.addAll(List.of(arguments));
        try {
            Path log = Files.createTempFile(dir, "tool", ".log");
            try (ChildProcess tool = ChildProcess.start(
                    name(),
                    log,
                    List.of(
                            "-Xmx128m",
                            "-XX:TieredStopAtLevel=1",
                            "-Dlogback.configurationFile=io/muster/cli/quickstart/logback-kafka.xml"),
                    System.getProperty("java.class.path"),
                    command)) {
                tool.awaitExit(LIMIT);
            }
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
