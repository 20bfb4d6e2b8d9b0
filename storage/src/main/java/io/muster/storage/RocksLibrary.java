package io.muster.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;

/** RocksDB's native library, which its jar holds and which is loaded from a file. */
final class RocksLibrary {
    private static boolean loaded;

    private RocksLibrary() {}

    /**
     * Loads the library, unless it is loaded, and deletes its file at once: RocksDB itself would do so when the process ends, which a killed one never
     * does.
     *
     * @throws StoreException if the file cannot be written or loaded
     */
    static synchronized void load() {
        if (loaded) {
            return;
        }
        try {
            Path directory = Files.createTempDirectory("muster-rocksdb-");
            try {
                NativeLibraryLoader.getInstance().loadLibrary(directory.toString());
            } finally {
                delete(directory);
            }
        } catch (IOException e) {
            throw new StoreException(
                    "RocksDB's native library cannot be loaded from " + System.getProperty("java.io.tmpdir"), e);
        }
        RocksDB.loadLibrary();
        loaded = true;
    }

    private static void delete(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> listed = Files.list(directory)) {
            files = listed.toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
        Files.delete(directory);
    }
}
