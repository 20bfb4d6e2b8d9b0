package io.muster.gateway.kafka.offsets;

import io.muster.core.Command;
import io.muster.core.Response;
import io.muster.core.ShardTime;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks the group's coordinator in the Raft cluster. */
public interface GroupCoordinator {
    /** The coordinator's answer. Commands about one group are decided in the order of these calls. */
    CompletableFuture<Response> ask(Command command);

    /** The latest logical times of shards that were heard of until now: by them coordinators tell which connection is newer. */
    default List<ShardTime> heardTimes() {
        return List.of();
    }
}
