package io.muster.gateway.coordinator;

import io.muster.core.ClaimOutcome;
import io.muster.rpc.ConnectedGateway;
import io.muster.rpc.CoordinatorAnswer;
import io.muster.rpc.CoordinatorSession;
import io.muster.rpc.DaemonThreads;
import io.muster.rpc.LocalCoordinator;
import io.muster.rpc.ShardLeadership;
import io.muster.runtime.TopicReport;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session with the node of this process. Commands go to the shard's thread and answers come from it, without a thread between
 * them; what else the node tells comes in order on a thread of its own, since the node may hold locks while it tells it. Owned groups
 * are noted before the node goes on, so that no answer overtakes them.
 */
final class LocalSession implements NodeSession, ConnectedGateway, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalSession.class);

    private final String gatewayId;
    private final LocalCoordinator node;
    private final Events events;
    private final ExecutorService news = Executors.newSingleThreadExecutor(DaemonThreads.named("coordinator-news"));
    private volatile @Nullable CoordinatorSession session;
    private volatile boolean ended;

    LocalSession(String gatewayId, LocalCoordinator node, Events events) {
        this.gatewayId = gatewayId;
        this.node = node;
        this.events = events;
    }

    /** Connects; what the node tells meanwhile comes after {@link Events#opened}. */
    void open() {
        later(() -> {
            session = node.connect(this);
            events.opened(this, node.shards().count(), CoordinatorSession.MAX_IN_FLIGHT);
            LOG.atInfo().addKeyValue("nodeId", nodeId()).log("connected to the node of this process");
        });
    }

    @Override
    public String nodeId() {
        return node.node().nodeId();
    }

    @Override
    public String gatewayId() {
        return gatewayId;
    }

    /** Of requests there are never more than may be in flight, and of news there are few. */
    @Override
    public boolean isReady() {
        return !ended;
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    @Override
    public void send(PendingRequest request) {
        CoordinatorSession opened = session;
        if (opened == null || ended) {
            return;
        }
        if (request.asked() instanceof PendingRequest.Question.Decide decide) {
            opened.submit(decide.command(), answer -> answered(request, answer));
        } else {
            opened.listGroups(
                    ((PendingRequest.Question.ListGroups) request.asked()).shard(),
                    answer -> answered(request, answer));
        }
    }

    /** A redirect comes while the request is still being sent: it is taken afterwards. */
    private void answered(PendingRequest request, CoordinatorAnswer answer) {
        if (answer instanceof CoordinatorAnswer.NotLeader) {
            later(() -> events.answered(this, request.number(), answer));
        } else {
            events.answered(this, request.number(), answer);
        }
    }

    @Override
    public void claimReported(long operationId, ClaimOutcome outcome) {
        CoordinatorSession opened = session;
        if (opened != null) {
            opened.claimReported(operationId, outcome);
        }
    }

    @Override
    public void topicsReported(TopicLease lease, TopicReport report) {
        CoordinatorSession opened = session;
        if (opened != null) {
            opened.topicsReported(lease.shard(), lease.number(), report);
        }
    }

    @Override
    public void topicsTouched(Set<String> names, Set<String> deleted) {
        CoordinatorSession opened = session;
        if (opened != null) {
            opened.topicsTouched(names, deleted);
        }
    }

    @Override
    public void troubles(List<String> lines) {
        CoordinatorSession opened = session;
        if (opened != null) {
            opened.troubles(lines);
        }
    }

    @Override
    public void leadership(ShardLeadership leadership) {
        later(() -> events.leadership(this, leadership));
    }

    @Override
    public void ownedGroups(OwnedChange change) {
        events.ownedGroups(this, change);
    }

    @Override
    public void claim(ClaimTask task) {
        later(() -> events.claim(this, task));
    }

    @Override
    public void topics(LeasedWatch watch) {
        later(() -> events.topics(this, watch));
    }

    @Override
    public void look(TopicLook look) {
        later(() -> events.look(this, look));
    }

    @Override
    public void close() {
        ended = true;
        later(() -> {
            CoordinatorSession opened = session;
            if (opened != null) {
                opened.close();
            }
            events.ended(this);
        });
        news.shutdown();
    }

    private void later(Runnable task) {
        try {
            news.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the gateway is closed", e);
        }
    }
}
