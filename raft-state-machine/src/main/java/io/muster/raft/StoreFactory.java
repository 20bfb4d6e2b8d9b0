package io.muster.raft;

import io.muster.storage.ShardStore;
import java.nio.file.Path;

/** Opens the store of a shard. The product's is RocksDB; the simulation has one that loses what was not flushed. */
@FunctionalInterface
interface StoreFactory {
    /**
     * Opens the store in this directory, or makes a new one there.
     *
     * @throws io.muster.storage.StoreException if it cannot be opened
     */
    ShardStore open(Path directory);
}
