package io.muster.gateway.coordinator;

import io.muster.core.ShardTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The latest logical time of each shard that a leader has told this gateway. Any thread. */
final class HeardTimes {
    private final Map<Integer, ShardTime> latest = new ConcurrentHashMap<>();

    void heard(ShardTime time) {
        latest.merge(time.shard(), time, (known, now) -> now.hasReached(known) ? now : known);
    }

    List<ShardTime> latest() {
        return List.copyOf(latest.values());
    }
}
