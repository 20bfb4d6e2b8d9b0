package io.muster.gateway.kafka;

import io.muster.core.Partitions;
import io.muster.core.StreamsCommand.PartitionEnd;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads where partitions end, with Muster's own principal. */
public interface PartitionEnds {
    /**
     * The ends of these partitions, by topic; those that cannot be read are left out. Never completes exceptionally, and always
     * within some seconds.
     */
    CompletableFuture<List<PartitionEnd>> read(Partitions<String> partitions);
}
