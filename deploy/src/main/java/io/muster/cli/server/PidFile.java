package io.muster.cli.server;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code muster.pid} and the lock on the data directory: two processes never share one. */
final class PidFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PidFile.class);

    private final Path file;
    private final FileChannel lockChannel;

    private PidFile(Path file, FileChannel lockChannel) {
        this.file = file;
        this.lockChannel = lockChannel;
    }

    /** @throws StartException if another process has the directory, or it cannot be written */
    static PidFile take(Path dataDirectory) throws StartException {
        try {
            FileChannel channel = FileChannel.open(
                    dataDirectory.resolve("muster.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (tryLock(channel) == null) {
                channel.close();
                throw new StartException("another Muster process uses " + dataDirectory, null);
            }
            Path file = dataDirectory.resolve("muster.pid");
            Files.writeString(file, ProcessHandle.current().pid() + "\n", StandardCharsets.US_ASCII);
            return new PidFile(file, channel);
        } catch (IOException e) {
            throw new StartException(dataDirectory + " cannot be written: " + e.getMessage(), e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
            lockChannel.close();
        } catch (IOException e) {
            LOG.warn("muster.pid cannot be removed", e);
        }
    }
}
