package io.muster.rpc;

import io.muster.rpc.ConnectedGateway.LeasedWatch;
import io.muster.rpc.ConnectedGateway.TopicLook;
import io.muster.runtime.TopicReport;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which gateway watches the topics of which shard. A report counts only under the shard's lease of the moment. */
final class TopicLeases {
    private final List<ConnectedGateway> gateways;
    private final LocalShards shards;
    private final Map<Integer, Lease> leases = new HashMap<>();
    private long lastLease;

    TopicLeases(List<ConnectedGateway> gateways, LocalShards shards) {
        this.gateways = gateways;
        this.shards = shards;
    }

    /** What a shard needs, and who has the lease: nobody while no gateway is connected. */
    private static final class Lease {
        private TreeSet<String> names = new TreeSet<>();
        /** Names that the holder was sent last and that were not wanted at some time since. */
        private final TreeSet<String> dropped = new TreeSet<>();

        private TreeSet<String> sentNames = new TreeSet<>();
        private @Nullable ConnectedGateway holder;
        private long number;
        private long version;
        private boolean sent;
    }

    synchronized void watch(int shard, Set<String> names) {
        Lease lease = leases.computeIfAbsent(shard, key -> new Lease());
        lease.names = new TreeSet<>(names);
        lease.sentNames.stream().filter(name -> !names.contains(name)).forEach(lease.dropped::add);
        lease.version++;
        lease.sent = false;
        send(shard, lease);
    }

    synchronized void end(int shard) {
        Lease lease = leases.remove(shard);
        if (lease != null && lease.holder != null) {
            lease.holder.topics(new LeasedWatch(shard, lease.number, 0, Set.of(), true));
        }
    }

    /** Gives leases that nobody holds to somebody. */
    synchronized void leaseAll() {
        leases.forEach(this::send);
    }

    synchronized void gone(ConnectedGateway gateway) {
        leases.values().stream().filter(lease -> lease.holder == gateway).forEach(lease -> {
            lease.holder = null;
            lease.sent = false;
        });
        leaseAll();
    }

    synchronized void readyAgain(ConnectedGateway gateway) {
        leases.forEach((shard, lease) -> {
            if (lease.holder == gateway) {
                send(shard, lease);
            }
        });
    }

    /** A gateway saw topics change: each shard that needs one of them has its holder look at once. */
    synchronized void touched(Set<String> touched, Set<String> deletedOnes) {
        if (!deletedOnes.containsAll(touched)) {
            shards.topicsCreated();
        }
        leases.forEach((shard, lease) -> {
            TreeSet<String> names = new TreeSet<>(touched);
            names.retainAll(lease.names);
            TreeSet<String> deleted = new TreeSet<>(deletedOnes);
            deleted.retainAll(lease.names);
            if (lease.holder != null && !names.isEmpty()) {
                lease.holder.look(new TopicLook(shard, lease.number, names, deleted));
            }
        });
    }

    void reported(ConnectedGateway gateway, int shard, long number, TopicReport report) {
        synchronized (this) {
            Lease lease = leases.get(shard);
            if (lease == null || lease.holder != gateway || lease.number != number) {
                return;
            }
        }
        shards.topicsReported(shard, report);
    }

    private void send(int shard, Lease lease) {
        if (lease.holder == null) {
            lease.holder = gateways.stream()
                    .min(Comparator.comparing((ConnectedGateway gateway) -> !gateway.isReady())
                            .thenComparing(ConnectedGateway::gatewayId))
                    .orElse(null);
            lease.number = ++lastLease;
        }
        if (lease.holder == null || lease.sent || !lease.holder.isReady()) {
            return;
        }
        lease.sent = true;
        lease.holder.topics(new LeasedWatch(shard, lease.number, lease.version, lease.names, false));
        // What was dropped and is wanted again is no news to the holder, but what it reported was forgotten here.
        lease.dropped.retainAll(lease.names);
        if (!lease.dropped.isEmpty()) {
            lease.holder.look(new TopicLook(shard, lease.number, lease.dropped, Set.of()));
        }
        lease.dropped.clear();
        lease.sentNames = lease.names;
    }
}
