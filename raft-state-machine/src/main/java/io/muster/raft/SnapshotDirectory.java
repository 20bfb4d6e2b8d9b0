package io.muster.raft;

import io.muster.storage.AppliedIndex;
import io.muster.storage.ShardStore;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;

/** The snapshots of one shard on this node: a directory {@code snapshot.TERM_INDEX} each, a checkpoint of the store. */
final class SnapshotDirectory {
    private static final Pattern NAME = Pattern.compile("snapshot\\.(\\d+)_(\\d+)");

    /** Ratis writes a received file's digest beside it. */
    private static final String DIGEST = ".md5";

    private final Path directory;
    private final Path unfinished;
    /** Ratis keeps hold of a description for as long as it sends the files, and tells nobody when it has done so. */
    private final Map<TermIndex, WeakReference<SnapshotInfo>> described = new ConcurrentHashMap<>();

    SnapshotDirectory(Path directory) {
        this.directory = directory;
        this.unfinished = directory.resolveSibling("unfinished-snapshot");
    }

    Path path() {
        return directory;
    }

    /** Where a snapshot of this index belongs, or is. */
    Path pathOf(TermIndex index) {
        return directory.resolve("snapshot." + index.getTerm() + "_" + index.getIndex());
    }

    Optional<TermIndex> latest() throws IOException {
        List<TermIndex> all = all();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    /** Takes a snapshot of all that the store has applied; one that is there already is kept. */
    TermIndex take(ShardStore store) throws IOException {
        deleteUnfinished();
        Files.createDirectories(directory);
        AppliedIndex at = store.checkpoint(unfinished);
        TermIndex index = TermIndex.valueOf(at.term(), at.index());
        Path target = pathOf(index);
        if (Files.exists(target)) {
            FileTrees.delete(unfinished);
        } else {
            Files.move(unfinished, target);
            FileTrees.force(target);
        }
        return index;
    }

    /** Lists the files of a snapshot, as Ratis sends them to a follower; it computes their digests while it reads them. */
    SnapshotInfo describe(TermIndex index) throws IOException {
        List<FileInfo> files = new ArrayList<>();
        for (Path path : filesOf(pathOf(index))) {
            files.add(new FileInfo(path, null));
        }
        SnapshotInfo description = new FileListSnapshotInfo(files, index);
        described.put(index, new WeakReference<>(description));
        return description;
    }

    /** The store's files in a snapshot. */
    static List<Path> filesOf(Path snapshot) throws IOException {
        return FileTrees.list(snapshot).stream()
                .filter(path -> !path.toString().endsWith(DIGEST))
                .toList();
    }

    /** Deletes all but the newest {@code kept} snapshots and those that are being sent. */
    void deleteAllBut(int kept) throws IOException {
        List<TermIndex> all = all();
        for (TermIndex old : all.subList(0, Math.max(0, all.size() - kept))) {
            if (!isHeld(old)) {
                described.remove(old);
                FileTrees.delete(pathOf(old));
            }
        }
    }

    private boolean isHeld(TermIndex index) {
        WeakReference<SnapshotInfo> description = described.get(index);
        return description != null && description.get() != null;
    }

    /** Deletes what a crash left of a snapshot that was being taken, received, or replaced by a received one. */
    void clean() throws IOException {
        deleteUnfinished();
        FileTrees.delete(directory.resolveSibling("tmp"));
        String replaced = directory.getFileName() + ".tmp";
        Path parent = directory.getParent();
        if (parent != null) {
            for (Path path : FileTrees.list(parent)) {
                if (path.getFileName().toString().startsWith(replaced)) {
                    FileTrees.delete(path);
                }
            }
        }
    }

    private void deleteUnfinished() throws IOException {
        FileTrees.delete(unfinished);
        FileTrees.delete(unfinished.resolveSibling(unfinished.getFileName() + ".tmp")); // RocksDB's
    }

    private List<TermIndex> all() throws IOException {
        return FileTrees.list(directory).stream()
                .map(path -> NAME.matcher(path.getFileName().toString()))
                .filter(Matcher::matches)
                .map(match -> TermIndex.valueOf(Long.parseLong(match.group(1)), Long.parseLong(match.group(2))))
                .sorted(Comparator.comparingLong(TermIndex::getIndex))
                .toList();
    }
}
