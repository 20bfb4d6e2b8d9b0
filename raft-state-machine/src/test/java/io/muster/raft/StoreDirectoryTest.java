package io.muster.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replacing a store by a snapshot, and crashes at each of its steps. */
final class StoreDirectoryTest {
    @TempDir
    Path dir;

    private Path store;
    private Path snapshot;
    private StoreDirectory directory;

    @BeforeEach
    void oldStoreAndNewSnapshot() throws IOException {
        store = dir.resolve("store");
        snapshot = Files.createDirectories(dir.resolve("snapshot"));
        Files.writeString(snapshot.resolve("1.sst"), "new table");
        Files.writeString(snapshot.resolve("CURRENT"), "new");
        Files.createDirectories(store);
        Files.writeString(store.resolve("CURRENT"), "old");
        directory = new StoreDirectory(store);
    }

    @Test
    void install_replacesTheStoreAndLeavesTheSnapshot() throws IOException {
        directory.install(snapshot);

        assertNew();
        assertThat(snapshot.resolve("CURRENT")).hasContent("new");
        Files.writeString(store.resolve("CURRENT"), "changed");
        assertThat(snapshot.resolve("CURRENT")).hasContent("new");
    }

    @Test
    void digestsThatRatisLeavesInAReceivedSnapshot_areNoFilesOfTheStore() throws IOException {
        Path received = dir.resolve("sm").resolve("snapshot.1_2");
        Files.createDirectories(received.getParent());
        Files.move(snapshot, received);
        Files.writeString(received.resolve("1.sst.md5"), "digest");

        directory.install(received);

        assertThat(store.resolve("1.sst.md5")).doesNotExist();
        assertThat(new SnapshotDirectory(dir.resolve("sm"))
                        .describe(TermIndex.valueOf(1, 2)).getFiles().stream()
                                .map(file -> file.getPath().getFileName().toString()))
                .containsExactly("1.sst", "CURRENT");
    }

    @Test
    void crashWhileTheCopyIsMade_leavesTheOldStore() throws IOException {
        Files.createDirectories(dir.resolve("store.unfinished"));
        Files.writeString(dir.resolve("store.unfinished").resolve("1.sst"), "half");

        directory.recover();

        assertThat(store.resolve("CURRENT")).hasContent("old");
        assertNothingElse();
    }

    @Test
    void crashWhenTheOldStoreHasLostItsName_leavesTheNewOne() throws IOException {
        Files.move(snapshot, dir.resolve("store.unfinished"));
        Files.move(store, dir.resolve("store.replaced"));

        directory.recover();

        assertNew();
        assertNothingElse();
    }

    @Test
    void crashBeforeTheOldStoreIsDeleted_leavesTheNewOne() throws IOException {
        Files.move(store, dir.resolve("store.replaced"));
        Files.move(snapshot, store);
        Files.delete(dir.resolve("store.replaced").resolve("CURRENT")); // half deleted

        directory.recover();

        assertNew();
        assertNothingElse();
    }

    private void assertNew() {
        assertThat(store.resolve("CURRENT")).hasContent("new");
        assertThat(store.resolve("1.sst")).hasContent("new table");
    }

    private void assertNothingElse() {
        assertThat(dir.resolve("store.unfinished")).doesNotExist();
        assertThat(dir.resolve("store.replaced")).doesNotExist();
    }
}
