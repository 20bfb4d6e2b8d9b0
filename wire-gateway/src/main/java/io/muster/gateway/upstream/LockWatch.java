package io.muster.gateway.upstream;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.requests.DescribeGroupsRequest;
import org.apache.kafka.common.requests.DescribeGroupsResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches, on a connection of its own, until a broker lists our member in a group whose first join is not answered yet: from then on
 * nobody else gets in.
 */
final class LockWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LockWatch.class);
    private static final long POLL_MILLIS = 100;
    private static final int TIMEOUT_MILLIS = 5_000;

    private final Map<String, Runnable> watched = new ConcurrentHashMap<>();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final SessionPool session;
    private final ScheduledExecutorService scheduler;
    private final Node broker;
    private final String claimName;

    LockWatch(UpstreamConfig config, Node broker) {
        this.broker = broker;
        this.claimName = config.claimName();
        this.session = new SessionPool(config, "claim-lock-watch-" + broker.id(), 1);
        this.scheduler = Executors.newSingleThreadScheduledExecutor(
                UpstreamClaimExecutor.threads("claim-lock-timer-" + broker.id()));
        var unused = scheduler.scheduleWithFixedDelay(this::look, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Runs {@code locked} once the broker lists our member, unless {@link #forget} comes first. */
    void watch(String groupId, Runnable locked) {
        watched.put(groupId, locked);
    }

    void forget(String groupId) {
        watched.remove(groupId);
    }

    @Override
    public void close() {
        scheduler.shutdown();
        session.close();
    }

    private void look() {
        if (watched.isEmpty() || !looking.compareAndSet(false, true)) {
            return;
        }
        try {
            session.execute(this::lookAtAll, failure -> {
                looking.set(false);
                LOG.atDebug().addKeyValue("broker", broker).setCause(failure).log("could not look for our own claims");
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("the gateway is stopping", e);
        }
    }

    private void lookAtAll(BrokerSession session) {
        for (String groupId : List.copyOf(watched.keySet())) {
            try {
                if (isListed(session, groupId)) {
                    Runnable locked = watched.remove(groupId);
                    if (locked != null) {
                        locked.run();
                    }
                }
            } catch (UpstreamException e) {
                LOG.atDebug().addKeyValue("groupId", groupId).setCause(e).log("could not look for our own claim");
            }
        }
        looking.set(false);
    }

    private boolean isListed(BrokerSession session, String groupId) throws UpstreamException {
        DescribeGroupsRequestData data = new DescribeGroupsRequestData().setGroups(List.of(groupId));
        DescribeGroupsResponse response =
                (DescribeGroupsResponse) session.call(broker, new DescribeGroupsRequest.Builder(data), TIMEOUT_MILLIS);
        return response.data().groups().stream().anyMatch(this::hasOurMember);
    }

    private boolean hasOurMember(DescribedGroup group) {
        return group.members().stream().anyMatch(member -> claimName.equals(member.groupInstanceId()));
    }
}
