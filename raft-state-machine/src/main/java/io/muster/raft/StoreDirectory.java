package io.muster.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the live store of a shard lies. It is replaced as a whole: a crash at any moment leaves the old store or the new one, once
 * {@link #recover()} has put the names right.
 */
final class StoreDirectory {
    private static final String TABLE = ".sst";

    private final Path path;
    private final Path unfinished;
    private final Path replaced;

    StoreDirectory(Path path) {
        this.path = path;
        this.unfinished = path.resolveSibling(path.getFileName() + ".unfinished");
        this.replaced = path.resolveSibling(path.getFileName() + ".replaced");
    }

    Path path() {
        return path;
    }

    /** Ends what a crash interrupted: the new store counts from the moment at which the old one has lost its name. */
    void recover() throws IOException {
        if (!Files.exists(path) && Files.exists(replaced) && Files.exists(unfinished)) {
            Files.move(unfinished, path);
        }
        FileTrees.delete(unfinished);
        FileTrees.delete(replaced);
    }

    /** Makes a snapshot the store. The store must not be open. */
    void install(Path snapshot) throws IOException {
        recover();
        prepare(snapshot);
        if (Files.exists(path)) {
            Files.move(path, replaced);
        }
        Files.move(unfinished, path);
        FileTrees.force(path);
        FileTrees.delete(replaced);
    }

    /** Tables never change and are shared with the snapshot; everything else is copied. */
    private void prepare(Path snapshot) throws IOException {
        FileTrees.force(snapshot); // a snapshot from the leader may still be in memory only
        Files.createDirectories(unfinished);
        for (Path file : SnapshotDirectory.filesOf(snapshot)) {
            Path copy = unfinished.resolve(file.getFileName());
            if (file.toString().endsWith(TABLE)) {
                Files.createLink(copy, file);
            } else {
                Files.copy(file, copy);
            }
        }
        FileTrees.force(unfinished);
    }
}
