package io.muster.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every {@link ShardStore} does. */
abstract class ShardStoreContract {
    @TempDir
    Path dir;

    private ShardStore store;

    /** A new, empty store. */
    abstract ShardStore create(Path directory);

    /** The store that a checkpoint holds. */
    abstract ShardStore openCheckpoint(Path checkpoint);

    @BeforeEach
    void open() {
        store = create(dir.resolve("store"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void newStore_isEmptyAndAppliedNothing() {
        assertThat(keys("")).isEmpty();
        assertThat(store.get(bytes("a"))).isEmpty();
        assertThat(store.appliedIndex()).isEqualTo(AppliedIndex.NONE);
    }

    @Test
    void apply_writesAllChangesAndTheIndexTogether() {
        // When
        store.apply(put("a", "1").put(bytes("b"), bytes("2")).delete(bytes("a")), new AppliedIndex(1, 5));

        // Then
        assertThat(keys("")).containsExactly("b");
        assertThat(store.get(bytes("b")))
                .hasValueSatisfying(value -> assertThat(value).isEqualTo(bytes("2")));
        assertThat(store.appliedIndex()).isEqualTo(new AppliedIndex(1, 5));
    }

    @Test
    void apply_belowTheAppliedIndex_isRefused() {
        store.apply(put("a", "1"), new AppliedIndex(2, 5));

        assertThatThrownBy(() -> store.apply(put("b", "1"), new AppliedIndex(2, 4)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(keys("")).containsExactly("a");
    }

    @Test
    void deletePrefix_removesExactlyThePrefix() {
        // Given
        store.apply(put("a", "1").put(bytes("b1"), bytes("1")).put(bytes("b2"), bytes("1")), new AppliedIndex(1, 1));
        store.apply(new StoreBatch().put(new byte[] {'b', (byte) 0xFF}, bytes("1")), new AppliedIndex(1, 2));
        store.apply(put("c", "1"), new AppliedIndex(1, 3));

        // When
        store.apply(put("b3", "1").deletePrefix(bytes("b")).put(bytes("b4"), bytes("1")), new AppliedIndex(1, 4));

        // Then
        assertThat(keys("")).containsExactly("a", "b4", "c");
    }

    @Test
    void scan_visitsInUnsignedKeyOrderUntilTold() {
        // Given
        store.apply(put("b", "1").put(bytes("a"), bytes("1")).put(bytes("ab"), bytes("1")), new AppliedIndex(1, 1));

        // Then
        assertThat(keys("a")).containsExactly("a", "ab");
        List<String> first = new ArrayList<>();
        store.scan(new byte[0], (key, value) -> {
            first.add(text(key));
            return false;
        });
        assertThat(first).containsExactly("a");
    }

    @Test
    void scanFrom_beginsAtTheKeyOrTheNextOne() {
        store.apply(put("a1", "1").put(bytes("a3"), bytes("1")).put(bytes("b"), bytes("1")), new AppliedIndex(1, 1));

        List<String> seen = new ArrayList<>();
        store.scanFrom(bytes("a"), bytes("a2"), (key, value) -> seen.add(text(key)));

        assertThat(seen).containsExactly("a3");
    }

    @Test
    void checkpoint_holdsTheStateAndIndexOfItsTime() {
        // Given
        store.apply(put("a", "1"), new AppliedIndex(3, 7));
        byte[] digest = store.digest();

        // When
        AppliedIndex at = store.checkpoint(dir.resolve("copy"));
        store.apply(put("a", "2"), new AppliedIndex(3, 8));

        // Then
        assertThat(at).isEqualTo(new AppliedIndex(3, 7));
        try (ShardStore copy = openCheckpoint(dir.resolve("copy"))) {
            assertThat(copy.appliedIndex()).isEqualTo(at);
            assertThat(copy.digest()).isEqualTo(digest);
            assertThat(copy.digest()).isNotEqualTo(store.digest());
        }
    }

    @Test
    void digest_dependsOnContentNotOnHistory() {
        // Given
        try (ShardStore other = create(dir.resolve("other"))) {
            other.apply(put("b", "1").put(bytes("a"), bytes("1")), new AppliedIndex(9, 9));

            // When
            store.apply(put("a", "0"), new AppliedIndex(1, 1));
            store.apply(put("a", "1").put(bytes("b"), bytes("1")), new AppliedIndex(1, 2));

            // Then
            assertThat(store.digest()).isEqualTo(other.digest());
        }
    }

    @Test
    void use_afterClose_isAnError() {
        store.close();

        assertThatThrownBy(() -> store.get(bytes("a"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void close_whileOthersRead_endsTheirReadsWithAnError() throws Exception {
        // Given
        store.apply(put("a", "1").put(bytes("b"), bytes("2")), new AppliedIndex(1, 1));
        CountDownLatch reading = new CountDownLatch(3);
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            readers.add(CompletableFuture.runAsync(() -> {
                assertThat(keys("")).hasSize(2);
                reading.countDown();
                while (store.get(bytes("a")).isPresent()) {
                    assertThat(keys("")).hasSize(2);
                }
            }));
        }

        // When
        assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();
        store.close();

        // Then
        for (CompletableFuture<Void> reader : readers) {
            assertThatThrownBy(() -> reader.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(IllegalStateException.class);
        }
    }

    private List<String> keys(String prefix) {
        List<String> keys = new ArrayList<>();
        store.scan(bytes(prefix), (key, value) -> keys.add(text(key)));
        return keys;
    }

    static StoreBatch put(String key, String value) {
        return new StoreBatch().put(bytes(key), bytes(value));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
