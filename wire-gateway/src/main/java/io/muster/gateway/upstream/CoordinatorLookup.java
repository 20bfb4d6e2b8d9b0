package io.muster.gateway.upstream;

import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private volatile int answering;

    /** The group's coordinator as it was last known; empty if it has to be asked for. */
    Optional<Node> known(String groupId) {
        return Optional.ofNullable(known.get(groupId));
    }

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

    /** Begins with the broker that answered last: one that is silent costs its time once. */
    private Node ask(BrokerSession session, String groupId) throws UpstreamException {
        FindCoordinatorRequestData data = new FindCoordinatorRequestData()
                .setKeyType(CoordinatorType.GROUP.id())
                .setKey(groupId);
        UpstreamException last = null;
        List<Node> brokers = session.bootstrap();
        int first = answering;
        for (int i = 0; i < brokers.size(); i++) {
            int number = (first + i) % brokers.size();
            Node broker = brokers.get(number);
            try {
                FindCoordinatorResponse response = (FindCoordinatorResponse)
                        session.call(broker, new FindCoordinatorRequest.Builder(data.duplicate()), TIMEOUT_MILLIS);
                answering = number;
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
