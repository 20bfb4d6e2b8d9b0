package io.muster.cluster.nodes;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A disk of a few megabytes (a tmpfs), which can be full. */
public final class SmallDisk implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SmallDisk.class);
    private static final int BLOCK = 1 << 16;

    private final Path directory;
    private boolean mounted;

    private SmallDisk(Path directory) {
        this.directory = directory;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** Mounts one; empty, with a line in the log, where that cannot be done. */
    public static Optional<SmallDisk> mount(int megabytes) {
        SmallDisk disk = new SmallDisk(newDirectory());
        try {
            SystemCommand.run("mount -t tmpfs -o size=%dm tmpfs %s".formatted(megabytes, disk.directory));
            disk.mounted = true;
            return Optional.of(disk);
        } catch (UncheckedIOException e) {
            LOG.warn("SKIPPED full disks: no file system can be mounted here: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /** Where files lie on it. */
    public Path directory() {
        return directory;
    }

    /** Writes until there is no room for another byte. */
    public void fill() {
        writeWhileThereIsRoom(BLOCK);
        writeWhileThereIsRoom(1);
    }

    private void writeWhileThereIsRoom(int bytes) {
        byte[] block = new byte[bytes];
        try (OutputStream out = Files.newOutputStream(directory.resolve("filler-" + bytes))) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            LOG.debug("no room for {} bytes", bytes, full);
        }
    }

    /** Gives the room back. */
    public void free() {
        try {
            Files.deleteIfExists(directory.resolve("filler-" + BLOCK));
            Files.deleteIfExists(directory.resolve("filler-1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        if (mounted) {
            mounted = false;
            SystemCommand.run("umount -l " + directory);
        }
    }

    private static Path newDirectory() {
        try {
            Path parent = Files.createDirectories(Path.of("target", "disks").toAbsolutePath());
            return Files.createTempDirectory(parent, "disk-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
