package io.muster.raft;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a node that was started again back into the log. If its disk was wiped or put back while the log is quiet, the leader
 * still believes that it has everything: Ratis 3.3.0 then goes back to the same position at each heartbeat's answer, and sends
 * nothing until there is a next entry. So a node that gets none from its leader writes an empty one.
 */
final class CatchUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);
    private static final long PERIOD_MILLIS = 500;
    private static final Message NOTHING = Message.valueOf(EntryAdmission.NOTHING);

    private final RaftServer.Division division;
    private final long nextIndexAtStart;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "raft-catch-up");
        thread.setDaemon(true);
        return thread;
    });

    private CatchUp(RaftServer.Division division) {
        this.division = division;
        this.nextIndexAtStart = division.getRaftLog().getNextIndex();
    }

    /** Watches a division that was just started until it leads or has got an entry. */
    static CatchUp of(RaftServer.Division division) {
        CatchUp catchUp = new CatchUp(division);
        ScheduledFuture<?> unused = catchUp.timer.scheduleWithFixedDelay(
                catchUp::check, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        return catchUp;
    }

    private void check() {
        try {
            DivisionInfo info = division.getInfo();
            if (info.isLeader() || division.getRaftLog().getNextIndex() > nextIndexAtStart) {
                timer.shutdown();
            } else if (info.getLeaderId() != null) {
                writeNothing(division.getGroup());
            }
        } catch (IOException | RuntimeException e) {
            LOG.atInfo()
                    .addKeyValue("shard", division.getGroup().getGroupId())
                    .setCause(e)
                    .log("not caught up yet");
        }
    }

    private void writeNothing(RaftGroup group) throws IOException {
        LOG.atInfo()
                .addKeyValue("shard", group.getGroupId())
                .addKeyValue("nextIndex", nextIndexAtStart)
                .log("no entry came from the leader; an empty one is written");
        try (RaftClient client = RaftClient.newBuilder()
                .setProperties(new RaftProperties())
                .setRaftGroup(group)
                .setLeaderId(division.getInfo().getLeaderId())
                .setRetryPolicy(RetryPolicies.noRetry())
                .build()) {
            RaftClientReply reply = client.io().send(NOTHING);
            if (!reply.isSuccess()) {
                throw new IOException("the leader took no entry", reply.getException());
            }
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
