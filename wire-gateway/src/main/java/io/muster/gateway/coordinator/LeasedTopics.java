package io.muster.gateway.coordinator;

import io.muster.rpc.ConnectedGateway.LeasedWatch;
import io.muster.rpc.ConnectedGateway.TopicLook;
import java.util.HashMap;
import java.util.Map;

/** The topic watches that nodes leased to this gateway. They end with their session. */
final class LeasedTopics {
    private final TopicWatcher watcher;
    private final Map<Source, TopicLease> leases = new HashMap<>();

    private record Source(NodeSession session, int shard) {}

    LeasedTopics(TopicWatcher watcher) {
        this.watcher = watcher;
    }

    synchronized void leased(NodeSession session, LeasedWatch watch) {
        Source source = new Source(session, watch.shard());
        TopicLease lease = new TopicLease(session.nodeId(), watch.shard(), watch.lease());
        TopicLease before = watch.ended() ? leases.remove(source) : leases.put(source, lease);
        if (before != null && (watch.ended() || !before.equals(lease))) {
            watcher.end(before);
        }
        if (!watch.ended()) {
            watcher.watch(lease, watch.names(), report -> session.topicsReported(lease, report));
        }
    }

    synchronized void look(NodeSession session, TopicLook look) {
        TopicLease lease = leases.get(new Source(session, look.shard()));
        if (lease != null && lease.number() == look.lease()) {
            watcher.look(lease, look.names(), look.deleted());
        }
    }

    synchronized void closed(NodeSession session) {
        leases.entrySet().removeIf(entry -> {
            boolean itsOwn = entry.getKey().session() == session;
            if (itsOwn) {
                watcher.end(entry.getValue());
            }
            return itsOwn;
        });
    }
}
