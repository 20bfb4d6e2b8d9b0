package io.muster.cluster.nodes;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What time it is on a node's machine, which can jump; how fast time goes by there stays as it is. */
public final class WallClock {
    private static final Logger LOG = LoggerFactory.getLogger(WallClock.class);

    private final Path library;
    private final Path file;

    private WallClock(Path directory) {
        this.library = directory.resolve("wall-clock.so");
        this.file = directory.resolve("ahead");
    }

    /** A clock that is right until it is set; empty, with a line in the log, where there is no C compiler to build it with. */
    public static Optional<WallClock> make() {
        try {
            Path directory = newDirectory();
            WallClock clock = new WallClock(directory);
            Path source = directory.resolve("wall-clock.c");
            try (InputStream text = WallClock.class.getResourceAsStream("/clock/wall-clock.c")) {
                Files.copy(Objects.requireNonNull(text), source);
            }
            SystemCommand.run("cc -shared -fPIC -O2 -o %s %s -ldl".formatted(clock.library, source));
            clock.set(Duration.ZERO);
            return Optional.of(clock);
        } catch (UncheckedIOException e) {
            LOG.warn("SKIPPED other clocks: the library that moves them cannot be built here: {}", e.getMessage());
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The environment of processes that go by this clock. */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "WALL_CLOCK_FILE", file.toString());
    }

    /** Sets the clock so far ahead of the time, or behind it if negative; processes that go by it see it at once. */
    public void set(Duration ahead) {
        ByteBuffer seconds =
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, ahead.toSeconds());
        try {
            Files.write(file, seconds.array(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path newDirectory() throws IOException {
        Path parent = Files.createDirectories(Path.of("target", "clocks").toAbsolutePath());
        return Files.createTempDirectory(parent, "clock-");
    }
}
