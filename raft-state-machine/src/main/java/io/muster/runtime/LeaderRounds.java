package io.muster.runtime;

import io.muster.core.CoordinatorConfig;
import io.muster.core.InternalCommand;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The rounds that a leader makes over its shard, so that what nobody asks for is seen to as well: groups whose clients died,
 * claims without a group, histories that are older than they are kept. Each leadership begins anew. Confined to the shard's
 * thread.
 */
final class LeaderRounds {
    static final long RETRY_MILLIS = 1_000;
    private static final long MOST_BETWEEN_SWEEPS_MILLIS = 3_600_000;
    private static final int MOST_DOUBLINGS = 6;
    private static final int AT_ONCE = 100;
    private static final int FORGOTTEN_AT_ONCE = 500;

    /**
     * What the leader does where its rounds take it.
     *
     * @param begin takes the groups that the store holds at the start; returns those to visit
     * @param visit sees to a group, be it in memory or not
     * @param deliver hands a command to its group
     */
    record Visits(UnaryOperator<SortedSet<String>> begin, Consumer<String> visit, Consumer<InternalCommand> deliver) {}

    private final CoordinatorConfig config;
    private final GroupReader reader;
    private final ShardPorts ports;
    private final Executor shardThread;
    private final Visits visits;
    private long term;

    /** @param shardThread runs what comes back from other threads */
    LeaderRounds(CoordinatorConfig config, GroupReader reader, ShardPorts ports, Executor shardThread, Visits visits) {
        this.config = config;
        this.reader = reader;
        this.ports = ports;
        this.shardThread = shardThread;
        this.visits = visits;
    }

    void begin(long newTerm) {
        term = newTerm;
        readIds(newTerm);
        sweep(newTerm);
    }

    void end() {
        term = 0;
    }

    /** Whether this leadership still lasts. */
    boolean isIn(long ofTerm) {
        return ofTerm != 0 && term == ofTerm;
    }

    /** Visits a group again after a while. Not at once: while the leadership cannot be confirmed it would go round and round. */
    void visitLater(String groupId) {
        later(RETRY_MILLIS, () -> visits.visit().accept(groupId));
    }

    /** Visits a group again on which no decision could be made, the later the more often that was so in a row. */
    void visitAgain(String groupId, int failures) {
        long delay = RETRY_MILLIS << Math.min(failures - 1, MOST_DOUBLINGS);
        later(delay, () -> visits.visit().accept(groupId));
    }

    private void readIds(long ofTerm) {
        reader.readIds(
                ids -> shardThread.execute(() -> visitAll(ofTerm, ids)),
                () -> shardThread.execute(() -> later(RETRY_MILLIS, () -> readIds(ofTerm))));
    }

    /** Visits every group within a third of a session timeout, so that members whose clients died do expire. */
    private void visitAll(long ofTerm, SortedSet<String> ids) {
        if (!isIn(ofTerm)) {
            return;
        }
        List<String> groupIds = List.copyOf(visits.begin().apply(ids));
        long span = config.consumer().sessionTimeoutMillis() / 3;
        for (int i = 0; i < groupIds.size(); i++) {
            String groupId = groupIds.get(i);
            long delay = groupIds.size() < AT_ONCE ? 0 : span * i / groupIds.size();
            later(delay, () -> visits.visit().accept(groupId));
        }
    }

    /** Looks through what is left of groups that are gone. */
    private void sweep(long ofTerm) {
        long outlived = ports.clock().wallMillis() - config.retention().historyMillis();
        reader.readRemnants(
                outlived,
                FORGOTTEN_AT_ONCE,
                remnants -> shardThread.execute(() -> clear(ofTerm, remnants)),
                () -> shardThread.execute(() -> later(RETRY_MILLIS, () -> sweep(ofTerm))));
    }

    private void clear(long ofTerm, GroupReader.Remnants remnants) {
        if (!isIn(ofTerm)) {
            return;
        }
        remnants.claimed().forEach(visits.visit());
        remnants.outlived().forEach(groupId -> visits.deliver().accept(new InternalCommand.HistoryOutlived(groupId)));
        boolean more = remnants.outlived().size() == FORGOTTEN_AT_ONCE;
        later(more ? RETRY_MILLIS : sweepIntervalMillis(), () -> sweep(ofTerm));
    }

    private long sweepIntervalMillis() {
        return Math.max(
                RETRY_MILLIS,
                Math.min(MOST_BETWEEN_SWEEPS_MILLIS, config.retention().historyMillis() / 10));
    }

    /** Does something on the shard's thread later, if this leadership lasts until then. */
    void later(long delayMillis, Runnable step) {
        long ofTerm = term;
        ports.timers()
                .schedule(
                        () -> shardThread.execute(() -> {
                            if (isIn(ofTerm)) {
                                step.run();
                            }
                        }),
                        delayMillis);
    }
}
