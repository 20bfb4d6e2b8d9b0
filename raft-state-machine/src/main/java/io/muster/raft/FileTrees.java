package io.muster.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories as wholes: listed, deleted, forced to the disk. What fails is an {@link IOException} in every case. */
final class FileTrees {
    private FileTrees() {}

    /** The entries of a directory, by name; none if it does not exist. */
    static List<Path> list(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Deletes a directory with all that it holds, if it exists. */
    static void delete(Path tree) throws IOException {
        for (Path path : deepestFirst(tree)) {
            Files.deleteIfExists(path);
        }
    }

    /** Returns when all files and names below a directory, and its own, are on the disk. */
    static void force(Path tree) throws IOException {
        for (Path path : deepestFirst(tree)) {
            forceOne(path);
        }
        Path parent = tree.getParent();
        if (parent != null) {
            forceOne(parent);
        }
    }

    private static List<Path> deepestFirst(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            return paths.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void forceOne(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
