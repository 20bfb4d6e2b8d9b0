package io.muster.raft;

import io.muster.storage.AppliedIndex;
import io.muster.storage.RocksShardStore;
import io.muster.storage.ShardStore;
import io.muster.storage.StoreException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * A store on a disk whose process is killed: what was flushed stays, and no last snapshot is taken. Closing flushes, so that it
 * stands beyond the last snapshot then.
 */
final class StoreThatIsKilled extends DelegatingStore {
    private final BooleanSupplier killed;

    private StoreThatIsKilled(ShardStore store, BooleanSupplier killed) {
        super(store);
        this.killed = killed;
    }

    /** @param killed whether the end that comes is a kill */
    static StoreFactory factory(BooleanSupplier killed) {
        return directory -> new StoreThatIsKilled(RocksShardStore.open(directory), killed);
    }

    @Override
    public AppliedIndex checkpoint(Path directory) {
        if (killed.getAsBoolean()) {
            throw new StoreException("killed before the snapshot");
        }
        return super.checkpoint(directory);
    }
}
