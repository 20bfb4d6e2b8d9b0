package io.muster.gateway.upstream;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.requests.DescribeGroupsRequest;
import org.apache.kafka.common.requests.DescribeGroupsResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches, on a connection of its own, until upstream lists our member in a group whose first join is not answered yet: from then on
 * nobody else gets in.
 */
final class LockWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LockWatch.class);
    private static final long POLL_MILLIS = 100;
    private static final int TIMEOUT_MILLIS = 5_000;

    private final Map<String, Runnable> watched = new ConcurrentHashMap<>();
    private final BrokerSession session;
    private final CoordinatorLookup coordinators;
    private final String claimName;

    LockWatch(
            BrokerSession session,
            CoordinatorLookup coordinators,
            String claimName,
            ScheduledExecutorService scheduler) {
        this.session = session;
        this.coordinators = coordinators;
        this.claimName = claimName;
        var unused = scheduler.scheduleWithFixedDelay(this::poll, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Runs {@code locked} once upstream lists our member, unless {@link #forget} comes first. */
    void watch(String groupId, Runnable locked) {
        watched.put(groupId, locked);
    }

    void forget(String groupId) {
        watched.remove(groupId);
    }

    @Override
    public void close() {
        session.close();
    }

    private void poll() {
        for (String groupId : List.copyOf(watched.keySet())) {
            try {
                if (isListed(groupId)) {
                    Runnable locked = watched.remove(groupId);
                    if (locked != null) {
                        locked.run();
                    }
                }
            } catch (UpstreamException | RuntimeException e) {
                coordinators.forget(groupId);
                LOG.atDebug().addKeyValue("groupId", groupId).setCause(e).log("could not look for our own claim");
            }
        }
    }

    private boolean isListed(String groupId) throws UpstreamException {
        DescribeGroupsRequestData data = new DescribeGroupsRequestData().setGroups(List.of(groupId));
        DescribeGroupsResponse response = (DescribeGroupsResponse) session.call(
                coordinators.find(session, groupId), new DescribeGroupsRequest.Builder(data), TIMEOUT_MILLIS);
        return response.data().groups().stream().anyMatch(this::hasOurMember);
    }

    private boolean hasOurMember(DescribedGroup group) {
        return group.members().stream().anyMatch(member -> claimName.equals(member.groupInstanceId()));
    }
}
