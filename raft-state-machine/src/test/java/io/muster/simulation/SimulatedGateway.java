package io.muster.simulation;

import io.muster.core.ClaimIdentity;
import io.muster.core.CommitCommand;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.core.ShardTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A gateway: brings commits to their coordinator and then upstream, in order for each connection. It stands still at times. */
final class SimulatedGateway {
    private static final int MOST_TRIES = 8;
    private static final int RETRY_MILLIS = 200;

    private final VirtualTime time;
    private final SimulatedCluster cluster;
    private long stoppedUntil;
    private int lastAdmission;
    private int lastConnection;
    private ShardTime heard = ShardTime.NONE;
    private final int id;

    SimulatedGateway(int id, VirtualTime time, SimulatedCluster cluster) {
        this.id = id;
        this.time = time;
        this.cluster = cluster;
    }

    /** The process stands still, with whatever it has in hand. */
    void stop(long millis) {
        stoppedUntil = Math.max(stoppedUntil, time.now() + millis);
    }

    private void after(long delayMillis, Runnable task) {
        time.after(delayMillis, () -> {
            if (time.now() < stoppedUntil) {
                after(stoppedUntil - time.now(), task);
            } else {
                task.run();
            }
        });
    }

    /** A leader tells at which time it has recorded a connection. */
    void told(ShardTime recorded) {
        after(1 + (time.chance(10) ? time.pick(3_000) : time.pick(3)), () -> {
            heard = recorded.hasReached(heard) ? recorded : heard;
        });
    }

    Connection connect() {
        return new Connection();
    }

    /** What a gateway adds to a commit: names, and how long ago the connection was opened. */
    record Asking(String admissionId, CommitCommand.Connection connection) {}

    /**
     * A commit as its client sends it.
     *
     * @param asked what to ask the coordinator
     */
    record Commit(
            String groupId,
            UnaryOperator<String> producer,
            Function<Asking, CommitCommand.Admit> asked,
            Map<CommitCommand.TopicPartition, BrokersGroup.Offset> offsets,
            Consumer<Boolean> answer) {}

    /** One client's connection. What it has read it carries out, even if the client is gone. */
    final class Connection {
        private final Deque<Commit> commits = new ArrayDeque<>();
        private final String connectionId = "c" + id + "-" + lastConnection++;
        private final long openedAt = time.now();
        private final List<ShardTime> heardBefore = List.of(heard);
        private boolean busy;
        private boolean reset;

        void commit(Commit commit) {
            commits.add(commit);
            after(1 + time.pick(5), this::next);
        }

        private void next() {
            if (!busy && !commits.isEmpty()) {
                busy = true;
                ask(commits.remove(), MOST_TRIES);
            }
        }

        private void end(Commit commit, boolean done) {
            busy = false;
            time.after(1 + time.pick(5), () -> commit.answer().accept(done));
            next();
        }

        /** Whether the gateway has ended it: its client has to come by another one. */
        boolean isReset() {
            return reset;
        }

        private void ask(Commit commit, int tries) {
            String admission = "a" + id + "-" + lastAdmission++;
            CommitCommand.Admit admit = commit.asked()
                    .apply(new Asking(
                            admission, new CommitCommand.Connection(connectionId, time.now() - openedAt, heardBefore)));
            time.trace("gateway %d asks for %s of %s by %s", id, admission, commit.groupId(), connectionId);
            cluster.ask(admit, response -> after(time.pick(3), () -> judged(commit, admission, response, tries)));
        }

        private void judged(Commit commit, String admission, Response response, int tries) {
            time.trace("gateway %d hears of %s: %s", id, admission, response);
            if (response instanceof Response.CommitAdmitted admitted) {
                long delay = time.chance(4) ? time.pick(15_000) : time.pick(10);
                after(delay, () -> send(commit, admission, admitted.identity(), tries));
            } else if (Retries.passes(response) && tries > 1) {
                after(RETRY_MILLIS, () -> ask(commit, tries - 1));
            } else {
                reset |= response instanceof Response.CommitRefused refused
                        && refused.error() == GroupError.CONNECTION_SUPERSEDED;
                end(commit, false);
            }
        }

        private void send(Commit commit, String admission, ClaimIdentity identity, int tries) {
            Consumer<UpstreamCoordinator.CommitEnd> heard = end -> after(1 + time.pick(10), () -> {
                boolean refused = end == UpstreamCoordinator.CommitEnd.CLAIM_REFUSED;
                if (!time.chance(4)) {
                    CompletableFuture<Response> unused =
                            cluster.submit(new CommitCommand.Settled(commit.groupId(), admission, refused));
                }
                if (refused && tries > 1) {
                    ask(commit, tries - 1);
                } else {
                    end(commit, end == UpstreamCoordinator.CommitEnd.STORED);
                }
            });
            String producer = commit.producer().apply("");
            if (producer.isEmpty()) {
                cluster.upstream().commit(commit.groupId(), identity, commit.offsets(), heard);
            } else {
                cluster.upstream().commitInTransaction(commit.groupId(), identity, producer, commit.offsets(), heard);
            }
        }
    }

    /** Which refusals are for a reason that passes. */
    private static final class Retries {
        static boolean passes(Response response) {
            if (response instanceof Response.CommitRefused refused) {
                // What is not Muster's goes to the brokers as it is, who do not know its member.
                return refused.claimed() && refused.error() == GroupError.COORDINATOR_NOT_AVAILABLE;
            }
            return response instanceof Response.Refused refused
                    && (refused.error() == io.muster.core.GroupError.NOT_COORDINATOR
                            || refused.error() == io.muster.core.GroupError.COORDINATOR_NOT_AVAILABLE);
        }
    }
}
