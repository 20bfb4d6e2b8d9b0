package io.muster.raft;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.protocol.TermIndex;

/** Where a shard lies on this node's disk. Ratis's part of it appears at once and complete, or not at all. */
final class ShardPlace {
    /** Ratis's file of metadata, and its words there. */
    private static final String METADATA = "raft-meta";

    /** Marks a shard of which a leader has other entries. */
    private static final String CONTRADICTING = "contradicts-the-leader";

    private static final String TERM = "term";

    private static final String VOTED_FOR = "votedFor";
    /** Holds a vote that can be given to nobody else any more. */
    private static final String NOBODY = "nobody";

    private final UUID group;
    private final String name;
    private final Path rafts;
    private final Path raft;
    private final Path store;
    private final Path joining;
    private final Path setAside;

    /** @param directory the node's */
    ShardPlace(Path directory, RaftGroupId group) {
        this.group = group.getUuid();
        this.name = this.group.toString();
        this.rafts = raftOf(directory);
        this.raft = rafts.resolve(name);
        this.store = directory.resolve("stores").resolve(name);
        this.joining = directory.resolve("joining").resolve(name);
        this.setAside = directory.resolve("set-aside");
    }

    /** Where Ratis keeps all shards of a node. */
    static Path raftOf(Path directory) {
        return directory.resolve("raft");
    }

    /** The shard's Raft group. */
    UUID group() {
        return group;
    }

    Path store() {
        return store;
    }

    Path log() {
        return raft.resolve("current");
    }

    SnapshotDirectory snapshots() {
        return new SnapshotDirectory(raft.resolve("sm"));
    }

    /**
     * Whether this node's term and vote are there. Ratis 3.3.0 empties their file when the disk is full: it renames a new file over it
     * that it could not write. Without the file it would begin at term 0 and vote.
     */
    boolean hasVote() throws IOException {
        if (!Files.exists(metadata())) {
            return false;
        }
        Properties metadata = new Properties();
        try (BufferedReader file = Files.newBufferedReader(metadata())) {
            metadata.load(file);
        }
        return metadata.containsKey(TERM) && metadata.containsKey(VOTED_FOR);
    }

    /** Gives the log that is here a term, durably, and no vote in it or an earlier one. */
    void goOnIn(long term) throws IOException {
        Path written = Files.createDirectories(joining).resolve(METADATA);
        writeMetadata(written, term);
        FileTrees.force(written);
        Files.move(written, metadata(), StandardCopyOption.ATOMIC_MOVE);
        FileTrees.force(metadata());
        FileTrees.delete(joining);
    }

    private static void writeMetadata(Path target, long term) throws IOException {
        Properties metadata = new Properties();
        metadata.setProperty(TERM, Long.toString(term));
        metadata.setProperty(VOTED_FOR, term == 0 ? "" : NOBODY);
        try (BufferedWriter file = Files.newBufferedWriter(target)) {
            metadata.store(file, "");
        }
    }

    private Path metadata() {
        return log().resolve(METADATA);
    }

    /** Has the next start set aside what is here, since its committed entries are not the leader's. */
    void markContradicting() throws IOException {
        Files.write(raft.resolve(CONTRADICTING), new byte[0]);
        FileTrees.force(raft.resolve(CONTRADICTING));
    }

    /** Whether {@link #markContradicting} was called on what is here. */
    boolean isContradicting() {
        return Files.exists(raft.resolve(CONTRADICTING));
    }

    /** Whether this node once had the shard, and has put it aside because something was missing. */
    boolean isLost() throws IOException {
        return !Files.exists(raft)
                && FileTrees.list(setAside).stream()
                        .anyMatch(path -> path.getFileName().toString().startsWith(name));
    }

    /** An empty directory for the files of a snapshot that {@link #join} makes this shard begin with. */
    Path newSnapshot(TermIndex index) throws IOException {
        FileTrees.delete(joining);
        Path snapshot = new SnapshotDirectory(joining.resolve("sm")).pathOf(index);
        return Files.createDirectories(snapshot);
    }

    /** Forgets what {@link #newSnapshot} began. */
    void noSnapshot() throws IOException {
        FileTrees.delete(joining);
    }

    /** Formats Ratis's part, durably: with the snapshot that was prepared, if any, and without a vote in this term or an earlier one. */
    void join(long term) throws IOException {
        Path current = Files.createDirectories(joining.resolve("current"));
        writeMetadata(current.resolve(METADATA), term);
        FileTrees.force(joining);
        FileTrees.delete(raft); // no more than what a crash left of an attempt to format it
        Files.createDirectories(rafts);
        Files.move(joining, raft);
        FileTrees.force(raft);
    }

    /** Puts the store out of the way, and the log too if {@code all}, without deleting anything; returns where they are then. */
    Path setAside(boolean all) throws IOException {
        int number = 1;
        while (Files.exists(setAside.resolve(name + "-" + number))) {
            number++;
        }
        Path target = Files.createDirectories(setAside.resolve(name + "-" + number));
        // The log first: a store without its log is seen for what it is at the next start, and a log without its store
        // is not.
        if (all && Files.exists(raft)) {
            Files.move(raft, target.resolve("raft"));
        }
        if (Files.exists(store)) {
            Files.move(store, target.resolve("store"));
        }
        FileTrees.force(setAside);
        return target;
    }
}
