package io.muster.raft;

import io.muster.storage.AppliedIndex;
import io.muster.storage.ShardStore;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.ratis.server.protocol.TermIndex;

/**
 * Holds what a shard left on the disk against itself before Ratis opens it. The store must stand at an index that the log knows, in
 * the same term: a store of another history, or a log that was put back, would go unnoticed otherwise.
 */
final class StoreCheck {
    /** What was found, and why if something is wrong. */
    record Finding(Condition condition, String reason) {}

    /** In which condition a shard lies on the disk. */
    enum Condition {
        /** The shard was never here. */
        NOTHING,
        /** Store, snapshot and log belong together. */
        WHOLE,
        /** Store, snapshot and log belong together; which term this node was in and for whom it voted is lost. */
        VOTE_LOST,
        /** The store is not the log's; snapshot and log are enough to build it again. */
        FOREIGN_STORE,
        /** Something is missing that only another node can give. */
        LOST
    }

    private static final Finding NOTHING = new Finding(Condition.NOTHING, "");
    private static final Finding WHOLE = new Finding(Condition.WHOLE, "");

    private final ShardPlace place;
    private final StoreFactory stores;

    StoreCheck(ShardPlace place, StoreFactory stores) {
        this.place = place;
        this.stores = stores;
    }

    /** @throws io.muster.storage.StoreException if the store cannot be opened */
    Finding find() throws IOException {
        if (place.isContradicting()) {
            return lost("the leader had other entries in place of committed ones");
        }
        new StoreDirectory(place.store()).recover();
        AppliedIndex stored = storedIndex();
        LogOnDisk log = new LogOnDisk(place.log());
        Optional<TermIndex> snapshot = place.snapshots().latest();
        boolean hasVote = place.hasVote();
        if (log.firstIndex().isEmpty() && snapshot.isEmpty() && !hasVote) {
            return stored.index() < 0 ? NOTHING : lost("there is a store and no Raft log");
        }
        Finding found = compare(stored, log, snapshot);
        return found.equals(WHOLE) && !hasVote
                ? new Finding(Condition.VOTE_LOST, "the file of the node's term and vote is empty or missing")
                : found;
    }

    /** The last entry that log, snapshot or store know: none of them knows a higher term. */
    TermIndex lastKnown() throws IOException {
        AppliedIndex stored = storedIndex();
        return Stream.of(
                        new LogOnDisk(place.log()).last(),
                        place.snapshots().latest(),
                        Optional.of(TermIndex.valueOf(stored.term(), stored.index())))
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static Finding compare(AppliedIndex stored, LogOnDisk log, Optional<TermIndex> snapshot)
            throws IOException {
        if (snapshot.isPresent() && contradicts(log, snapshot.get())) {
            return lost("the Raft log holds another entry than the snapshot at " + snapshot.get());
        }
        long base = snapshot.map(TermIndex::getIndex).orElse(-1L);
        boolean goesOn = goesOnFrom(log, base);
        if (stored.index() <= base) {
            return goesOn ? WHOLE : lost("the Raft log has a gap behind the snapshot at " + base);
        }
        TermIndex position = TermIndex.valueOf(stored.term(), stored.index());
        if (log.termOf(stored.index()).isEmpty()) {
            return endsAt(log, stored.index())
                    ? WHOLE
                    : lost("the store stands at " + position + ", where the Raft log does not reach");
        }
        if (!contradicts(log, position)) {
            return WHOLE;
        }
        String reason = "the Raft log holds another entry than the store at " + position;
        return goesOn ? new Finding(Condition.FOREIGN_STORE, reason) : lost(reason);
    }

    private static Finding lost(String reason) {
        return new Finding(Condition.LOST, reason);
    }

    private AppliedIndex storedIndex() {
        if (!Files.exists(place.store())) {
            return AppliedIndex.NONE;
        }
        try (ShardStore store = stores.open(place.store())) {
            return store.appliedIndex();
        }
    }

    /** The log holds another entry at this index. */
    private static boolean contradicts(LogOnDisk log, TermIndex position) throws IOException {
        OptionalLong term = log.termOf(position.getIndex());
        return term.isPresent() && term.getAsLong() != position.getTerm();
    }

    /** The log has no gap after this index. */
    private static boolean goesOnFrom(LogOnDisk log, long index) {
        OptionalLong first = log.firstIndex();
        return first.isEmpty() || first.getAsLong() <= index + 1;
    }

    /** The log was purged up to this index, and begins with the next. */
    private static boolean endsAt(LogOnDisk log, long index) {
        OptionalLong first = log.firstIndex();
        return first.isPresent() && first.getAsLong() == index + 1;
    }
}
