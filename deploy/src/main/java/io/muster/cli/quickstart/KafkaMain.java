package io.muster.cli.quickstart;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/**
 * The broker's process. A new data directory is formatted with {@code group.version=0} and {@code streams.version=0}, so that
 * nothing but Muster can answer the new group protocols.
 */
public final class KafkaMain {
    private KafkaMain() {}

    /**
     * Runs the broker until SIGTERM.
     *
     * @param args the broker's configuration file, then its data directory
     */
    public static void main(String[] args) {
        if (!Files.exists(Path.of(args[1], "meta.properties"))) {
            format(args[0]);
        }
        Kafka.main(new String[] {args[0]});
    }

    private static void format(String properties) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        String[] args = {
            "format",
            "--cluster-id",
            Uuid.randomUuid().toString(),
            "--config",
            properties,
            "--standalone",
            "--feature",
            "group.version=0",
            "--feature",
            "streams.version=0"
        };
        if (StorageTool.execute(args, new PrintStream(said, true, StandardCharsets.UTF_8)) != 0) {
            System.err.println("Kafka's data directory cannot be formatted: " + said.toString(StandardCharsets.UTF_8));
            System.exit(1);
        }
    }
}
