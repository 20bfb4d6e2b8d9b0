package io.muster.raft;

import io.muster.storage.AppliedIndex;
import io.muster.storage.ShardStore;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.ratis.server.protocol.TermIndex;

/**
 * Holds what a shard left on the disk against itself before Ratis opens it. The store must stand at an index that the log knows, in
 * the same term: a store of another history, or a log that was put back, would go unnoticed otherwise.
 */
final class StoreCheck {
    /** What was found. */
    enum Finding {
        /** The shard was never here. */
        NOTHING,
        /** Store, snapshot and log belong together. */
        WHOLE,
        /** The store is not the log's; snapshot and log are enough to build it again. */
        FOREIGN_STORE,
        /** Something is missing that only another node can give. */
        LOST
    }

    private final ShardPlace place;
    private final StoreFactory stores;

    StoreCheck(ShardPlace place, StoreFactory stores) {
        this.place = place;
        this.stores = stores;
    }

    /** @throws io.muster.storage.StoreException if the store cannot be opened */
    Finding find() throws IOException {
        new StoreDirectory(place.store()).recover();
        AppliedIndex stored = storedIndex();
        if (!place.isFormatted()) {
            return stored.index() < 0 ? Finding.NOTHING : Finding.LOST;
        }
        if (!place.hasVote()) {
            return Finding.LOST;
        }
        LogOnDisk log = new LogOnDisk(place.log());
        Optional<TermIndex> snapshot = place.snapshots().latest();
        if (snapshot.isPresent() && contradicts(log, snapshot.get())) {
            return Finding.LOST;
        }
        long base = snapshot.map(TermIndex::getIndex).orElse(-1L);
        boolean goesOn = goesOnFrom(log, base);
        if (stored.index() <= base) {
            return goesOn ? Finding.WHOLE : Finding.LOST;
        }
        TermIndex position = TermIndex.valueOf(stored.term(), stored.index());
        if (log.termOf(stored.index()).isEmpty()) {
            return endsAt(log, stored.index()) ? Finding.WHOLE : Finding.LOST;
        }
        if (!contradicts(log, position)) {
            return Finding.WHOLE;
        }
        return goesOn ? Finding.FOREIGN_STORE : Finding.LOST;
    }

    private AppliedIndex storedIndex() {
        if (!java.nio.file.Files.exists(place.store())) {
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
