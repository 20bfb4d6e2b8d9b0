package io.muster.rpc;

import io.muster.rpc.proto.Wire;
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
    private final Map<GatewayStream, Set<Integer>> behind = new HashMap<>();

    private record Shard(long term, TreeSet<String> groupIds) {}

    synchronized void begin(int shard, long term, Set<String> groupIds, List<GatewayStream> streams) {
        shards.put(shard, new Shard(term, new TreeSet<>(groupIds)));
        streams.forEach(stream -> sendSnapshot(shard, stream));
    }

    synchronized void change(int shard, Set<String> added, Set<String> removed, List<GatewayStream> streams) {
        Shard known = shards.get(shard);
        if (known == null) {
            return;
        }
        known.groupIds().removeAll(removed);
        known.groupIds().addAll(added);
        Wire.NodeFrame frame = Wire.NodeFrame.newBuilder()
                .setOwnedGroups(Wire.OwnedGroups.newBuilder()
                        .setShard(shard)
                        .setTerm(known.term())
                        .addAllAdded(new TreeSet<>(added))
                        .addAllRemoved(new TreeSet<>(removed)))
                .build();
        for (GatewayStream stream : streams) {
            if (stream.isReady() && !isBehind(stream, shard)) {
                stream.send(frame);
            } else {
                behind.computeIfAbsent(stream, key -> new TreeSet<>()).add(shard);
            }
        }
    }

    synchronized void end(int shard) {
        shards.remove(shard);
        behind.values().forEach(some -> some.remove(shard));
    }

    synchronized void sendAll(GatewayStream stream) {
        shards.keySet().forEach(shard -> sendSnapshot(shard, stream));
    }

    synchronized void readyAgain(GatewayStream stream) {
        Set<Integer> missed = behind.remove(stream);
        if (missed != null) {
            missed.forEach(shard -> sendSnapshot(shard, stream));
        }
    }

    synchronized void forget(GatewayStream stream) {
        behind.remove(stream);
    }

    private boolean isBehind(GatewayStream stream, int shard) {
        Set<Integer> missed = behind.get(stream);
        return missed != null && missed.contains(shard);
    }

    private void sendSnapshot(int shard, GatewayStream stream) {
        Shard known = shards.get(shard);
        if (known == null) {
            return;
        }
        List<String> all = new ArrayList<>(known.groupIds());
        int from = 0;
        do {
            int to = Math.min(all.size(), from + IDS_PER_FRAME);
            stream.send(Wire.NodeFrame.newBuilder()
                    .setOwnedGroups(Wire.OwnedGroups.newBuilder()
                            .setShard(shard)
                            .setTerm(known.term())
                            .setSnapshot(true)
                            .setFirst(from == 0)
                            .setLast(to == all.size())
                            .addAllAdded(all.subList(from, to)))
                    .build());
            from = to;
        } while (from < all.size());
    }
}
