package io.muster.raft;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the last entry that a node has applied with its leader's, as long as no new one comes. They differ only if a disk has lost
 * what it acknowledged, as when most nodes were put back to an earlier state. Ratis 3.3.0 then refuses the leader's entries for ever,
 * many times a second, and says nothing that anybody understands: so the node is ended, and fetches the leader's state when it is
 * started again.
 */
final class LeaderComparison implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderComparison.class);
    private static final long PERIOD_MILLIS = 2_000;

    private final Joining others;
    private final FatalHandler fatalHandler;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "raft-comparison");
        thread.setDaemon(true);
        return thread;
    });

    LeaderComparison(Joining others, FatalHandler fatalHandler) {
        this.others = others;
        this.fatalHandler = fatalHandler;
    }

    /** Compares a shard from now on, until it is closed or has ended the node. */
    void watch(int shard, RaftServer.Division division, ShardPlace place) {
        ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(
                new Watched(shard, division, place)::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** One shard. Confined to the timer's thread. */
    private final class Watched {
        private final int shard;
        private final RaftServer.Division division;
        private final ShardPlace place;
        /** What was applied at the last look. */
        private TermIndex lastSeen = TermIndex.INITIAL_VALUE;
        /** The term whose leader has agreed to {@link #lastSeen}. */
        private long agreedTerm = -1;

        Watched(int shard, RaftServer.Division division, ShardPlace place) {
            this.shard = shard;
            this.division = division;
            this.place = place;
        }

        void look() {
            try {
                DivisionInfo info = division.getInfo();
                long term = info.getCurrentTerm();
                RaftPeerId leader = info.getLeaderId();
                TermIndex applied = division.getStateMachine().getLastAppliedTermIndex();
                if (!applied.equals(lastSeen)) {
                    lastSeen = applied;
                    agreedTerm = -1;
                } else if (info.isFollower() && leader != null && applied.getIndex() >= 0 && term != agreedTerm) {
                    compare(leader.toString(), applied, term);
                }
            } catch (IOException | RuntimeException e) {
                LOG.debug("the applied entries of shard {} cannot be compared with the leader's", shard, e);
            }
        }

        private void compare(String leaderId, TermIndex applied, long term) throws IOException {
            Agreement agreement = others.compare(leaderId, place.group(), applied, term);
            if (agreement == Agreement.AGREES) {
                agreedTerm = term;
            } else if (agreement == Agreement.CONTRADICTS) {
                timer.shutdown();
                place.markContradicting();
                fatalHandler.fatal(
                        "this node has applied entry " + applied.getIndex() + " of term " + applied.getTerm()
                                + " of shard " + shard + ", and node " + leaderId
                                + ", which leads, does not have it: some nodes"
                                + " were put back to an earlier state. Started again, this node sets its own log and store"
                                + " aside and copies the leader's",
                        new IllegalStateException("committed entries contradict the leader's"));
            }
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
