package io.muster.storage;

import java.nio.file.Path;

final class InMemoryShardStoreTest extends ShardStoreContract {
    @Override
    ShardStore create(Path directory) {
        return new InMemoryShardStore();
    }

    @Override
    ShardStore openCheckpoint(Path checkpoint) {
        return InMemoryShardStore.open(checkpoint);
    }
}
