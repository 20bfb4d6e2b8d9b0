package io.muster.rpc;

import io.muster.rpc.proto.Wire;
import io.muster.runtime.TopicReport;
import io.muster.wire.ValueCodec;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which gateway watches the topics of which shard. A report counts only under the shard's lease of the moment. */
final class TopicLeases {
    private final List<GatewayStream> streams;
    private final LocalShards shards;
    private final Map<Integer, Lease> leases = new HashMap<>();
    private long lastLease;

    TopicLeases(List<GatewayStream> streams, LocalShards shards) {
        this.streams = streams;
        this.shards = shards;
    }

    /** What a shard needs, and who has the lease: nobody while no gateway is connected. */
    private static final class Lease {
        private TreeSet<String> names = new TreeSet<>();
        /** Names that the holder was sent last and that were not wanted at some time since. */
        private final TreeSet<String> dropped = new TreeSet<>();

        private TreeSet<String> sentNames = new TreeSet<>();
        private @Nullable GatewayStream holder;
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
            lease.holder.send(frame(Wire.TopicLease.newBuilder()
                    .setShard(shard)
                    .setLease(lease.number)
                    .setEnded(true)));
        }
    }

    /** Gives leases that nobody holds to somebody. */
    synchronized void leaseAll() {
        leases.forEach(this::send);
    }

    synchronized void gone(GatewayStream stream) {
        leases.values().stream().filter(lease -> lease.holder == stream).forEach(lease -> {
            lease.holder = null;
            lease.sent = false;
        });
        leaseAll();
    }

    synchronized void readyAgain(GatewayStream stream) {
        leases.forEach((shard, lease) -> {
            if (lease.holder == stream) {
                send(shard, lease);
            }
        });
    }

    /** A gateway saw topics change: each shard that needs one of them has its holder look at once. */
    synchronized void touched(Wire.TopicsTouched touched) {
        if (!touched.getDeletedList().containsAll(touched.getNamesList())) {
            shards.topicsCreated();
        }
        leases.forEach((shard, lease) -> {
            TreeSet<String> names = new TreeSet<>(touched.getNamesList());
            names.retainAll(lease.names);
            TreeSet<String> deleted = new TreeSet<>(touched.getDeletedList());
            deleted.retainAll(lease.names);
            if (lease.holder != null && !names.isEmpty()) {
                lease.holder.send(look(shard, lease, names, deleted));
            }
        });
    }

    void reported(GatewayStream stream, Wire.TopicReport report) {
        synchronized (this) {
            Lease lease = leases.get(report.getShard());
            if (lease == null || lease.holder != stream || lease.number != report.getLease()) {
                return;
            }
        }
        shards.topicsReported(
                report.getShard(),
                new TopicReport(
                        report.getPresentList().stream().map(ValueCodec::decode).toList(),
                        Set.copyOf(report.getAbsentList()),
                        Set.copyOf(report.getDeletedList())));
    }

    private void send(int shard, Lease lease) {
        if (lease.holder == null) {
            lease.holder = streams.stream()
                    .min(Comparator.comparing((GatewayStream stream) -> !stream.isReady())
                            .thenComparing(GatewayStream::gatewayId))
                    .orElse(null);
            lease.number = ++lastLease;
        }
        if (lease.holder == null || lease.sent || !lease.holder.isReady()) {
            return;
        }
        lease.sent = true;
        lease.holder.send(frame(Wire.TopicLease.newBuilder()
                .setShard(shard)
                .setLease(lease.number)
                .setVersion(lease.version)
                .addAllNames(lease.names)));
        // What was dropped and is wanted again is no news to the holder, but what it reported was forgotten here.
        lease.dropped.retainAll(lease.names);
        if (!lease.dropped.isEmpty()) {
            lease.holder.send(look(shard, lease, lease.dropped, new TreeSet<>()));
        }
        lease.dropped.clear();
        lease.sentNames = lease.names;
    }

    private static Wire.NodeFrame look(int shard, Lease lease, Set<String> names, Set<String> deleted) {
        return Wire.NodeFrame.newBuilder()
                .setTopicLook(Wire.TopicLook.newBuilder()
                        .setShard(shard)
                        .setLease(lease.number)
                        .addAllNames(names)
                        .addAllDeleted(deleted))
                .build();
    }

    private static Wire.NodeFrame frame(Wire.TopicLease.Builder lease) {
        return Wire.NodeFrame.newBuilder().setTopicLease(lease).build();
    }
}
