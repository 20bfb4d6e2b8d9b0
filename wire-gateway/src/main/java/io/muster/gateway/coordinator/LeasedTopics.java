package io.muster.gateway.coordinator;

import io.muster.rpc.proto.Wire;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The topic watches that nodes leased to this gateway. They end with their stream. */
final class LeasedTopics {
    private final TopicWatcher watcher;
    private final Map<Source, TopicLease> leases = new HashMap<>();

    private record Source(NodeStream stream, int shard) {}

    LeasedTopics(TopicWatcher watcher) {
        this.watcher = watcher;
    }

    synchronized void leased(NodeStream stream, Wire.TopicLease message) {
        Source source = new Source(stream, message.getShard());
        TopicLease lease = new TopicLease(stream.nodeId(), message.getShard(), message.getLease());
        TopicLease before = message.getEnded() ? leases.remove(source) : leases.put(source, lease);
        if (before != null && (message.getEnded() || !before.equals(lease))) {
            watcher.end(before);
        }
        if (!message.getEnded()) {
            watcher.watch(
                    lease,
                    Set.copyOf(message.getNamesList()),
                    report -> GrpcCoordinator.framesOf(lease, report).forEach(stream::send));
        }
    }

    synchronized void look(NodeStream stream, Wire.TopicLook message) {
        TopicLease lease = leases.get(new Source(stream, message.getShard()));
        if (lease != null && lease.number() == message.getLease()) {
            watcher.look(lease, Set.copyOf(message.getNamesList()), Set.copyOf(message.getDeletedList()));
        }
    }

    synchronized void closed(NodeStream stream) {
        leases.entrySet().removeIf(entry -> {
            boolean itsOwn = entry.getKey().stream() == stream;
            if (itsOwn) {
                watcher.end(entry.getValue());
            }
            return itsOwn;
        });
    }
}
