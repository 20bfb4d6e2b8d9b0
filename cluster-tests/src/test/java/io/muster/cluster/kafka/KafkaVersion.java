package io.muster.cluster.kafka;

import io.muster.cli.quickstart.TetheredMain;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** The versions of Apache Kafka that stand upstream in tests. */
public enum KafkaVersion {
    /** On the tests' own class path. */
    V4_4 {
        @Override
        String classPath() {
            return System.getProperty("java.class.path");
        }

        @Override
        Set<String> features() {
            return Set.of("group.version", "streams.version", "transaction.version", "share.version");
        }
    },
    /** On a class path of its own, written by the build. */
    V3_9 {
        @Override
        String classPath() {
            return oldKafka() + File.pathSeparator + tether();
        }

        @Override
        Set<String> features() {
            return Set.of("group.version", "transaction.version");
        }
    };

    abstract String classPath();

    /** Features whose level can be chosen when the data directory is formatted. */
    abstract Set<String> features();

    private static String oldKafka() {
        try {
            return Files.readString(Path.of("target", "old-kafka.classpath")).trim();
        } catch (IOException e) {
            throw new UncheckedIOException("the build has not written the old broker's class path", e);
        }
    }

    /** Where the class lies that ends the broker with the test. */
    private static String tether() {
        return TetheredMain.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
    }
}
