package io.muster.gateway.coordinator;

import io.muster.core.ClaimOutcome;
import io.muster.rpc.ConnectedGateway.ClaimTask;
import io.muster.rpc.ConnectedGateway.LeasedWatch;
import io.muster.rpc.ConnectedGateway.OwnedChange;
import io.muster.rpc.ConnectedGateway.TopicLook;
import io.muster.rpc.CoordinatorAnswer;
import io.muster.rpc.ShardLeadership;
import io.muster.runtime.TopicReport;
import java.util.List;
import java.util.Set;

/** A connection of this gateway to a node, from its start to its end: to another process, or to the node of this one. Any thread. */
interface NodeSession {
    String nodeId();

    /** Whether a request sent now would not pile up. */
    boolean isReady();

    boolean hasEnded();

    /** Sends a request; nothing happens if the session has ended. Its answer is told to the {@link Events}, maybe before this returns. */
    void send(PendingRequest request);

    /** Reports the outcome of a claim operation that the node asked for. */
    void claimReported(long operationId, ClaimOutcome outcome);

    /** Reports what was found out of the topics of a lease. */
    void topicsReported(TopicLease lease, TopicReport report);

    /** Tells that a CreateTopics, DeleteTopics or CreatePartitions went through this gateway. */
    void topicsTouched(Set<String> names, Set<String> deleted);

    /** Tells what operators should know of this gateway, instead of what was told before. */
    void troubles(List<String> lines);

    /** Told of what happens on the sessions: of one session one call after the other, except for answers and owned groups. */
    interface Events {
        /**
         * The node may be asked from now on.
         *
         * @param shards of the cluster
         * @param maxInFlight how many requests of this session may be unanswered
         */
        void opened(NodeSession session, int shards, int maxInFlight);

        void answered(NodeSession session, long number, CoordinatorAnswer answer);

        void leadership(NodeSession session, ShardLeadership leadership);

        void ownedGroups(NodeSession session, OwnedChange change);

        void claim(NodeSession session, ClaimTask task);

        void topics(NodeSession session, LeasedWatch watch);

        void look(NodeSession session, TopicLook look);

        /** The session is ready again, see {@link #isReady}. */
        void ready(NodeSession session);

        void ended(NodeSession session);
    }
}
