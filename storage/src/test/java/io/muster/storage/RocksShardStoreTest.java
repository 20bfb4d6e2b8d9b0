package io.muster.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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
    void crash_afterFlushes_leavesAllUpToAnEarlierIndex() throws IOException {
        // Given a store with the smallest write buffer, and its files as a crash leaves them
        Path path = dir.resolve("alive");
        Path crashed = Files.createDirectories(dir.resolve("crashed"));
        byte[] value = new byte[1 << 10];
        try (ShardStore store = RocksShardStore.open(path, 64 << 10)) {
            for (int index = 0; index < 500; index++) {
                StoreBatch batch = new StoreBatch();
                batch.put(bytes("key" + index), value);
                store.apply(batch, new AppliedIndex(1, index));
            }
            await().until(store::flushAhead);
            store.apply(put("last", "in memory only"), new AppliedIndex(2, 500));
            try (Stream<Path> files = Files.list(path)) {
                for (Path file : files.toList()) {
                    Files.copy(file, crashed.resolve(file.getFileName()));
                }
            }
        }

        // When
        try (ShardStore store = RocksShardStore.open(crashed)) {
            // Then
            assertThat(store.appliedIndex()).isEqualTo(new AppliedIndex(1, 499));
            assertThat(store.get(bytes("key499"))).isPresent();
            assertThat(store.get(bytes("last"))).isEmpty();
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
