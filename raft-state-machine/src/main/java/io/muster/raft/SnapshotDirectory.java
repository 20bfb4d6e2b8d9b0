package io.muster.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;

/** The snapshots of one shard on this node: a directory {@code snapshot.TERM_INDEX} each, a checkpoint of the store. */
final class SnapshotDirectory {
    private static final Pattern NAME = Pattern.compile("snapshot\\.(\\d+)_(\\d+)");

    private final Path directory;

    SnapshotDirectory(Path directory) {
        this.directory = directory;
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

    /** Lists the files of a snapshot with their digests, as Ratis sends them to a follower. */
    FileListSnapshotInfo describe(TermIndex index) throws IOException {
        List<FileInfo> files = new ArrayList<>();
        try (Stream<Path> paths = Files.list(pathOf(index))) {
            for (Path path : paths.sorted().toList()) {
                files.add(new FileInfo(path, MD5FileUtil.computeMd5ForFile(path.toFile())));
            }
        }
        return new FileListSnapshotInfo(files, index);
    }

    /** Deletes all but the newest {@code kept} snapshots, and what an interrupted one left. */
    void deleteAllBut(int kept) throws IOException {
        List<TermIndex> all = all();
        for (TermIndex old : all.subList(0, Math.max(0, all.size() - kept))) {
            deleteTree(pathOf(old));
        }
    }

    private List<TermIndex> all() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.list(directory)) {
            return paths.map(path -> NAME.matcher(path.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(match -> TermIndex.valueOf(Long.parseLong(match.group(1)), Long.parseLong(match.group(2))))
                    .sorted(Comparator.comparingLong(TermIndex::getIndex))
                    .toList();
        }
    }

    static void deleteTree(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            paths.sorted(Comparator.reverseOrder()).forEach(SnapshotDirectory::delete);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes a snapshot the content of {@code target}, durably and all of it or nothing: a crash half-way leaves no torn store. */
    static void install(Path snapshot, Path target) throws IOException {
        Path unfinished = target.resolveSibling(target.getFileName() + ".unfinished");
        deleteTree(unfinished);
        Files.createDirectories(unfinished);
        try (Stream<Path> files = Files.list(snapshot)) {
            for (Path file : files.toList()) {
                Path copy = unfinished.resolve(file.getFileName().toString());
                Files.copy(file, copy);
                force(copy);
            }
        }
        deleteTree(target);
        Files.move(unfinished, target);
    }

    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }
}
