package io.muster.gateway.upstream;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.jspecify.annotations.Nullable;

/** Remembers which upstream broker coordinates which group. Any thread. */
final class CoordinatorLookup {
    private static final int TIMEOUT_MILLIS = 5_000;

    private final Map<String, Node> known = new ConcurrentHashMap<>();

    /**
     * The group's coordinator upstream.
     *
     * @throws UpstreamException if no broker can be asked or upstream has none
     */
    Node find(BrokerSession session, String groupId) throws UpstreamException {
        Node before = known.get(groupId);
        if (before != null) {
            return before;
        }
        Node found = ask(session, groupId);
        known.put(groupId, found);
        return found;
    }

    void forget(String groupId) {
        known.remove(groupId);
    }

    private static Node ask(BrokerSession session, String groupId) throws UpstreamException {
        FindCoordinatorRequestData data = new FindCoordinatorRequestData()
                .setKeyType(CoordinatorType.GROUP.id())
                .setKey(groupId);
        UpstreamException last = null;
        for (Node broker : session.bootstrap()) {
            try {
                FindCoordinatorResponse response = (FindCoordinatorResponse)
                        session.call(broker, new FindCoordinatorRequest.Builder(data.duplicate()), TIMEOUT_MILLIS);
                return read(response, groupId);
            } catch (UpstreamException e) {
                last = suppressing(e, last);
            }
        }
        throw last == null ? new UpstreamException("there is no broker to ask") : last;
    }

    private static Node read(FindCoordinatorResponse response, String groupId) throws UpstreamException {
        Coordinator coordinator = response.coordinatorByKey(groupId)
                .orElseThrow(() -> new UpstreamException("upstream named no coordinator of group " + groupId));
        Errors error = Errors.forCode(coordinator.errorCode());
        if (error != Errors.NONE) {
            throw new UpstreamException("upstream has no coordinator of group " + groupId + ": " + error.message());
        }
        return new Node(coordinator.nodeId(), coordinator.host(), coordinator.port());
    }

    private static UpstreamException suppressing(UpstreamException latest, @Nullable UpstreamException earlier) {
        if (earlier != null) {
            latest.addSuppressed(earlier);
        }
        return latest;
    }
}
