package io.muster.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

final class RocksShardStoreTest extends ShardStoreContract {
    @Override
    ShardStore create(Path directory) {
        return RocksShardStore.open(directory);
    }

    @Override
    ShardStore openCheckpoint(Path checkpoint) {
        return RocksShardStore.open(checkpoint);
    }

    @Test
    void open_afterClose_findsStateAndIndex() {
        // Given
        Path path = dir.resolve("again");
        try (ShardStore store = RocksShardStore.open(path)) {
            store.apply(put("a", "1"), new AppliedIndex(2, 3));
        }

        // When
        try (ShardStore store = RocksShardStore.open(path)) {
            // Then
            assertThat(store.get(bytes("a"))).isPresent();
            assertThat(store.appliedIndex()).isEqualTo(new AppliedIndex(2, 3));
        }
    }

    @Test
    void open_whileOpenElsewhere_failsWithOneLine() {
        Path path = dir.resolve("locked");
        try (ShardStore store = RocksShardStore.open(path)) {
            assertThatThrownBy(() -> RocksShardStore.open(path))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("store " + path + " is open in another process");
            assertThat(store.get(bytes("a"))).isEmpty();
        }
    }

    @Test
    void open_ofNewerFormat_failsWithOneLine() throws RocksDBException {
        Path path = dir.resolve("newer");
        RocksShardStore.open(path).close();
        try (RocksDB db = RocksDB.open(path.toString())) {
            db.put(new byte[] {0, 'f'}, ByteBuffer.allocate(8).putLong(2).array());
        }

        assertThatThrownBy(() -> RocksShardStore.open(path))
                .isInstanceOf(StoreException.class)
                .hasMessage("store " + path + " has format 2, this version knows formats up to 1");
    }

    @Test
    void open_ofDamagedStore_failsWithOneLine() throws IOException {
        Path path = dir.resolve("damaged");
        RocksShardStore.open(path).close();
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.filter(f -> f.getFileName().toString().startsWith("MANIFEST"))
                    .toList()) {
                Files.write(file, "garbage".getBytes(StandardCharsets.UTF_8));
            }
        }

        assertThatThrownBy(() -> RocksShardStore.open(path))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("store " + path + " is corrupt")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void open_ofStoreWithADamagedTable_isCorruptAndNotLocked() throws IOException {
        // Given a table whose first block has another checksum than it should
        Path path = dir.resolve("table");
        try (ShardStore store = RocksShardStore.open(path)) {
            store.apply(put("a", "1"), new AppliedIndex(1, 1));
        }
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".sst")).toList()) {
                byte[] table = Files.readAllBytes(file);
                table[2] ^= (byte) 0xFF;
                Files.write(file, table);
            }
        }

        assertThatThrownBy(() -> RocksShardStore.open(path))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("store " + path + " is corrupt")
                .message()
                .doesNotContain("\n");
    }
}
