package io.muster.gateway.kafka.offsets;

import io.muster.core.Command;
import io.muster.core.Response;
import io.muster.core.ShardTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The coordinator of the commits of one gateway. It remembers the latest logical time of each shard that admissions came with, so that it
 * can be told which of a member's connections was opened after which. Any thread.
 */
public final class CommitCoordinator implements GroupCoordinator {
    private final GroupCoordinator coordinator;
    private final Map<Integer, ShardTime> heard = new ConcurrentHashMap<>();

    public CommitCoordinator(GroupCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public CompletableFuture<Response> ask(Command command) {
        return coordinator.ask(command).thenApply(this::noted);
    }

    private Response noted(Response response) {
        if (response instanceof Response.CommitAdmitted admitted) {
            ShardTime time = admitted.time();
            heard.merge(time.shard(), time, (known, now) -> now.hasReached(known) ? now : known);
        }
        return response;
    }

    /** The latest times heard until now, one of each shard that was heard of. */
    List<ShardTime> heard() {
        return List.copyOf(heard.values());
    }
}
