package io.muster.simulation;

import io.muster.core.Bytes;
import io.muster.runtime.LogEntry;
import io.muster.storage.AppliedIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What Raft keeps on a node's disk: term, vote and log. Written before it is acknowledged, so a crash loses none of it. */
final class RaftDisk {
    static final int NOBODY = -1;
    /** Holds a vote that can be given to nobody any more. */
    private static final int NOBODY_ELSE = -2;

    /** An entry of the log. */
    record Entry(long term, @Nullable Proposal proposal) {
        boolean isConfiguration() {
            return proposal == null;
        }
    }

    /**
     * What was proposed.
     *
     * @param node who proposed it
     * @param bytes as the product encodes it
     * @param baseStates each batch's group as it was in the proposer's store then, as text
     */
    record Proposal(int node, LogEntry entry, Bytes bytes, List<String> baseStates) {}

    private long term;
    private int votedFor = NOBODY;
    /** Whether there is a log, be it empty; one that was lost is not. */
    private boolean holdsShard;

    private final List<Entry> entries = new ArrayList<>();
    /** Index of the first entry that is still there. */
    private long firstIndex;
    /** Term of the entry before {@link #firstIndex}. */
    private long termBefore;

    /** @param holdsShard false if the disk was lost */
    RaftDisk(boolean holdsShard) {
        this.holdsShard = holdsShard;
    }

    long term() {
        return term;
    }

    int votedFor() {
        return votedFor;
    }

    void vote(long inTerm, int candidate) {
        term = inTerm;
        votedFor = candidate;
    }

    boolean holdsShard() {
        return holdsShard;
    }

    /** What a lost disk begins with: a log that goes on after a copy, and no vote in this term. */
    void beginAfter(AppliedIndex copied, long inTerm) {
        startAfter(copied.term(), copied.index());
        vote(inTerm, NOBODY_ELSE);
        holdsShard = true;
    }

    long firstIndex() {
        return firstIndex;
    }

    long lastIndex() {
        return firstIndex + entries.size() - 1;
    }

    long lastTerm() {
        return termOf(lastIndex()).orElseThrow();
    }

    /** Term of the entry at this index; empty if it is not known any more, or not yet. */
    Optional<Long> termOf(long index) {
        if (index == firstIndex - 1) {
            return Optional.of(termBefore);
        }
        return index < firstIndex || index > lastIndex()
                ? Optional.empty()
                : Optional.of(get(index).term());
    }

    Entry get(long index) {
        return entries.get((int) (index - firstIndex));
    }

    /** Up to {@code most} entries from this index on. */
    List<Entry> from(long index, int most) {
        int start = (int) (index - firstIndex);
        return List.copyOf(entries.subList(start, Math.min(entries.size(), start + most)));
    }

    void append(Entry entry) {
        entries.add(entry);
    }

    /** Drops this entry and all after it. */
    void truncateFrom(long index) {
        entries.subList((int) (index - firstIndex), entries.size()).clear();
    }

    /** Drops all entries before this index, which must be known. */
    void purgeBefore(long index) {
        if (index <= firstIndex) {
            return;
        }
        termBefore = termOf(index - 1).orElseThrow();
        entries.subList(0, (int) (index - firstIndex)).clear();
        firstIndex = index;
    }

    /** The log goes on after a snapshot. */
    void startAfter(long snapshotTerm, long snapshotIndex) {
        boolean known = termOf(snapshotIndex).filter(t -> t == snapshotTerm).isPresent();
        if (known) {
            purgeBefore(snapshotIndex + 1);
        } else {
            entries.clear();
            firstIndex = snapshotIndex + 1;
            termBefore = snapshotTerm;
        }
    }
}
