package io.muster.rpc;

import io.muster.rpc.ConnectedGateway.OwnedChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The ids of the groups of those shards that this node leads, as gateways watch them. A gateway that reads too slowly for the
 * changes gets the whole again when it has caught up.
 */
final class OwnedGroups {
    private static final int IDS_PER_FRAME = 2_000;

    private final Map<Integer, Shard> shards = new HashMap<>();
    private final Map<ConnectedGateway, Set<Integer>> behind = new HashMap<>();

    private record Shard(long term, TreeSet<String> groupIds) {}

    synchronized void begin(int shard, long term, Set<String> groupIds, List<ConnectedGateway> gateways) {
        shards.put(shard, new Shard(term, new TreeSet<>(groupIds)));
        gateways.forEach(gateway -> sendSnapshot(shard, gateway));
    }

    synchronized void change(int shard, Set<String> added, Set<String> removed, List<ConnectedGateway> gateways) {
        Shard known = shards.get(shard);
        if (known == null) {
            return;
        }
        known.groupIds().removeAll(removed);
        known.groupIds().addAll(added);
        OwnedChange change = new OwnedChange(
                shard,
                known.term(),
                false,
                false,
                false,
                List.copyOf(new TreeSet<>(added)),
                List.copyOf(new TreeSet<>(removed)));
        for (ConnectedGateway gateway : gateways) {
            if (gateway.isReady() && !isBehind(gateway, shard)) {
                gateway.ownedGroups(change);
            } else {
                behind.computeIfAbsent(gateway, key -> new TreeSet<>()).add(shard);
            }
        }
    }

    synchronized void end(int shard) {
        shards.remove(shard);
        behind.values().forEach(some -> some.remove(shard));
    }

    synchronized void sendAll(ConnectedGateway gateway) {
        shards.keySet().forEach(shard -> sendSnapshot(shard, gateway));
    }

    synchronized void readyAgain(ConnectedGateway gateway) {
        Set<Integer> missed = behind.remove(gateway);
        if (missed != null) {
            missed.forEach(shard -> sendSnapshot(shard, gateway));
        }
    }

    synchronized void forget(ConnectedGateway gateway) {
        behind.remove(gateway);
    }

    private boolean isBehind(ConnectedGateway gateway, int shard) {
        Set<Integer> missed = behind.get(gateway);
        return missed != null && missed.contains(shard);
    }

    private void sendSnapshot(int shard, ConnectedGateway gateway) {
        Shard known = shards.get(shard);
        if (known == null) {
            return;
        }
        List<String> all = new ArrayList<>(known.groupIds());
        int from = 0;
        do {
            int to = Math.min(all.size(), from + IDS_PER_FRAME);
            gateway.ownedGroups(new OwnedChange(
                    shard, known.term(), true, from == 0, to == all.size(), all.subList(from, to), List.of()));
            from = to;
        } while (from < all.size());
    }
}
