package io.muster.gateway.coordinator;

import io.muster.core.ClaimOutcome;
import io.muster.gateway.coordinator.PendingRequest.Question;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session with the node of this process. Commands go to the shard's thread, and heartbeats are answered by it. All other answers
 * are handed on in order by a thread of the session's own, since what follows from them may be long; so is what else the node tells,
 * since it may hold locks meanwhile. Only owned groups are noted before the node goes on, so that no answer overtakes them.
 */
final class LocalSession implements NodeSession, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalSession.class);

    private final String gatewayId;
    private final LocalCoordinator node;
    private final Events events;
    private final ExecutorService news = Executors.newSingleThreadExecutor(DaemonThreads.named("coordinator-news"));
    /** What the node has not answered, those included that this gateway waits for no longer. */
    private final AtomicInteger unanswered = new AtomicInteger();

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
            session = node.connect(new Told());
            events.opened(this, node.shards().count(), CoordinatorSession.MAX_IN_FLIGHT);
            LOG.atInfo().addKeyValue("nodeId", nodeId()).log("connected to the node of this process");
        });
    }

    @Override
    public String nodeId() {
        return node.node().nodeId();
    }

    @Override
    public boolean isReady() {
        return !ended && unanswered.get() < CoordinatorSession.MAX_IN_FLIGHT;
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
        unanswered.incrementAndGet();
        if (request.asked() instanceof Question.Decide decide) {
            opened.submit(decide.command(), answer -> answered(request.number(), answer));
        } else {
            opened.listGroups(
                    ((Question.ListGroups) request.asked()).shard(), answer -> answered(request.number(), answer));
        }
    }

    /** A redirect may come while its request is still being sent, and would be sent again and again then: it is taken afterwards. */
    private void answered(long number, CoordinatorAnswer answer) {
        boolean wasFull = unanswered.getAndDecrement() >= CoordinatorSession.MAX_IN_FLIGHT;
        if (answer.isToHeartbeat()) {
            events.answered(this, number, answer);
        } else {
            later(() -> events.answered(this, number, answer));
        }
        if (wasFull) {
            later(() -> events.ready(this));
        }
    }

    @Override
    public void claimReported(long operationId, ClaimOutcome outcome) {
        tell(opened -> opened.claimReported(operationId, outcome));
    }

    @Override
    public void topicsReported(TopicLease lease, TopicReport report) {
        tell(opened -> opened.topicsReported(lease.shard(), lease.number(), report));
    }

    @Override
    public void topicsTouched(Set<String> names, Set<String> deleted) {
        tell(opened -> opened.topicsTouched(names, deleted));
    }

    @Override
    public void troubles(List<String> lines) {
        tell(opened -> opened.troubles(lines));
    }

    private void tell(Consumer<CoordinatorSession> report) {
        CoordinatorSession opened = session;
        if (opened != null && !ended) {
            report.accept(opened);
        }
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

    /** This gateway as its node sees it. */
    private final class Told implements ConnectedGateway {
        @Override
        public String gatewayId() {
            return gatewayId;
        }

        /** What a node tells is little. */
        @Override
        public boolean isReady() {
            return !ended;
        }

        @Override
        public void leadership(ShardLeadership leadership) {
            later(() -> events.leadership(LocalSession.this, leadership));
        }

        @Override
        public void ownedGroups(OwnedChange change) {
            events.ownedGroups(LocalSession.this, change);
        }

        @Override
        public void claim(ClaimTask task) {
            later(() -> events.claim(LocalSession.this, task));
        }

        @Override
        public void topics(LeasedWatch watch) {
            later(() -> events.topics(LocalSession.this, watch));
        }

        @Override
        public void look(TopicLook look) {
            later(() -> events.look(LocalSession.this, look));
        }
    }
}
