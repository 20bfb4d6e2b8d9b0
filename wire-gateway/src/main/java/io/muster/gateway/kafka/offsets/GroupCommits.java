package io.muster.gateway.kafka.offsets;

import io.muster.core.ClaimIdentity;
import io.muster.core.CommitCommand;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.core.ShardTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commits of one connection and group, in the client's order. Each is admitted by the coordinator and then sent under the claim;
 * one identity is in flight at a time. When upstream refuses an identity because a fence overtook the commit, it is admitted again,
 * and all later ones wait behind it. What is refused for a reason that passes is tried again for as long as the client would wait.
 * Any thread.
 */
final class GroupCommits {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommits.class);

    /** Errors that say that the member's epoch is too old for some of the partitions (KIP-1251). */
    private static final Set<Errors> DEPENDS_ON_PARTITIONS =
            EnumSet.of(Errors.STALE_MEMBER_EPOCH, Errors.ILLEGAL_GENERATION);

    private final PatientCoordinator coordinator;
    private final ClientUpstream upstream;
    private final Supplier<String> admissionIds;
    private final Connection connection;
    private final List<Turn> turns = new ArrayList<>();
    private int users;

    /**
     * The client connection by which the commits come.
     *
     * @param id that no other connection of any gateway has
     * @param openedNanos when it was opened, on the clock of its thread
     * @param heardBefore the latest times of shards that were heard of then
     */
    record Connection(String id, long openedNanos, List<ShardTime> heardBefore) {
        /** Told with each try, so that a connection that waits looks no younger than one that was opened meanwhile. */
        CommitCommand.Connection at(long nowNanos) {
            return new CommitCommand.Connection(id, TimeUnit.NANOSECONDS.toMillis(nowNanos - openedNanos), heardBefore);
        }
    }

    GroupCommits(
            PatientCoordinator coordinator,
            ClientUpstream upstream,
            Supplier<String> admissionIds,
            Connection connection) {
        this.connection = connection;
        this.coordinator = coordinator;
        this.upstream = upstream;
        this.admissionIds = admissionIds;
    }

    /**
     * Takes a commit on; the answer is the one for the client.
     *
     * @param named completes when the names of the commit's topics are known
     * @param deadlineNanos until when it is tried again, on the clock of the connection's thread
     * @param judged whether the group may be Muster's, so that its coordinator is asked
     */
    synchronized CompletableFuture<OffsetCommitResponseData> submit(
            CompletableFuture<Commit> named, long deadlineNanos, boolean judged) {
        Turn turn = new Turn(deadlineNanos);
        turns.add(turn);
        var unused = named.whenComplete((commit, failure) -> named(turn, commit, failure, judged));
        return turn.answer;
    }

    /** Somebody is about to submit a commit; not synchronized with itself and {@link #left}. */
    GroupCommits entered() {
        users++;
        return this;
    }

    /** A commit is answered; whether nobody else uses this any more. Not synchronized with itself and {@link #entered}. */
    boolean left() {
        users--;
        return users == 0;
    }

    private synchronized void named(Turn turn, Commit commit, Throwable failure, boolean judged) {
        if (failure != null) {
            fail(turn, failure);
        } else if (judged) {
            turn.commit = Optional.of(commit);
            ask(turn);
        } else {
            turn.commit = Optional.of(commit);
            turn.stage = Stage.READY;
        }
        sendWhatIsReady();
    }

    private void ask(Turn turn) {
        turn.stage = Stage.ASKING;
        turn.admissionId = admissionIds.get();
        Commit commit = turn.commit();
        String admissionId = turn.admissionId;
        var unused = coordinator
                .ask(() -> commit.admission(connection.at(coordinator.nanoTime()), admissionId), turn.deadlineNanos)
                .thenAccept(response -> judged(turn, response));
    }

    private synchronized void judged(Turn turn, Response response) {
        if (response instanceof Response.CommitAdmitted admitted) {
            turn.identity = Optional.of(admitted.identity());
            turn.stage = Stage.READY;
        } else if (response instanceof Response.CommitRefused refused && !refused.claimed()) {
            turn.identity = Optional.empty();
            turn.stage = Stage.READY;
        } else if (response instanceof Response.CommitRefused refused
                && refused.error() == GroupError.CONNECTION_SUPERSEDED) {
            // Whoever is at the other end has to come by a new connection.
            fail(turn, new CancellationException("the member has committed by a connection that was opened later"));
        } else if (PatientCoordinator.passes(response)) {
            // The outcome of the last try may be unknown, so that it counts as in flight.
            settle(turn, false);
            finish(turn, turn.commit().refusal(errorOf(response)));
        } else if (response instanceof Response.CommitRefused) {
            refuse(turn, errorOf(response));
        } else {
            finish(turn, turn.commit().refusal(errorOf(response)));
        }
        sendWhatIsReady();
    }

    private static Errors errorOf(Response response) {
        if (response instanceof Response.CommitRefused refused) {
            return OffsetErrors.of(refused.error());
        }
        return OffsetErrors.of(
                response instanceof Response.Refused refused ? refused.error() : GroupError.COORDINATOR_NOT_AVAILABLE);
    }

    /** Sends from the front on, as far as nothing before waits for the coordinator and no other identity is in flight. */
    private void sendWhatIsReady() {
        Optional<Turn> next = nextToSend();
        while (next.isPresent()) {
            send(next.get());
            next = nextToSend();
        }
    }

    private Optional<Turn> nextToSend() {
        for (Turn turn : turns) {
            if (turn.stage == Stage.NAMING || turn.stage == Stage.ASKING) {
                return Optional.empty();
            }
            if (turn.stage == Stage.READY) {
                return turns.stream().anyMatch(turn::clashesWith) ? Optional.empty() : Optional.of(turn);
            }
        }
        return Optional.empty();
    }

    private void send(Turn turn) {
        turn.stage = Stage.SENT;
        Commit commit = turn.commit();
        CompletableFuture<OffsetCommitResponseData> response = turn.identity
                .map(identity -> commit.sendAs(identity, upstream))
                .orElseGet(() -> commit.sendAsItIs(upstream));
        var unused = response.whenComplete((answer, failure) -> heardBack(turn, answer, failure));
    }

    /**
     * What upstream finds wrong with a request comes before what the coordinator says, as in Kafka: permissions, topics that do
     * not exist. An epoch is judged by what is left.
     */
    private void refuse(Turn turn, Errors error) {
        turn.stage = Stage.SENT;
        turn.identity = Optional.of(Commit.NOBODY);
        var unused = turn.commit()
                .sendAs(Commit.NOBODY, upstream)
                .whenComplete((response, failure) -> heardOfNobody(turn, error, response, failure));
    }

    private synchronized void heardOfNobody(
            Turn turn, Errors error, OffsetCommitResponseData response, Throwable failure) {
        if (failure != null) {
            fail(turn, failure);
        } else {
            Optional<Commit> fewer =
                    DEPENDS_ON_PARTITIONS.contains(error) ? turn.commit().withoutUnheard(response) : Optional.empty();
            if (fewer.isPresent()) {
                turn.commit = fewer;
                ask(turn);
            } else {
                finish(turn, turn.commit().refusal(error, response));
            }
        }
        sendWhatIsReady();
    }

    private synchronized void heardBack(Turn turn, OffsetCommitResponseData response, Throwable failure) {
        if (failure != null) {
            // Upstream may still store it: it stays counted until a fence passes.
            fail(turn, failure);
        } else if (turn.identity.isEmpty()) {
            finish(turn, turn.commit().answer(response));
        } else if (Commit.refusesClaim(response)) {
            settle(turn, true);
            askAgain(turn);
        } else {
            settle(turn, false);
            finish(turn, turn.commit().answer(response));
        }
        sendWhatIsReady();
    }

    /**
     * Until the fence has passed the coordinator admits nothing; only an identity that is refused again needs a pause. After the deadline
     * the coordinator is asked once more: a member that was removed must hear that. If it was only told to try again it would do so when
     * it has come back, at its new epoch, and overwrite what its successor has committed.
     */
    private void askAgain(Turn turn) {
        turn.stage = Stage.ASKING;
        boolean overdue = coordinator.isOver(turn.deadlineNanos);
        if (overdue && turn.wasOverdue) {
            finish(turn, turn.commit().refusal(Errors.COORDINATOR_NOT_AVAILABLE));
        } else {
            turn.wasOverdue = overdue;
            coordinator.pause(overdue ? 0 : turn.fences++, () -> againAfterPause(turn));
        }
    }

    private synchronized void againAfterPause(Turn turn) {
        ask(turn);
    }

    private void settle(Turn turn, boolean claimRefused) {
        String groupId = turn.commit().groupId();
        var unused = coordinator
                .tell(new CommitCommand.Settled(groupId, turn.admissionId, claimRefused))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        // It stays counted until a fence passes, which is safe.
                        LOG.atDebug()
                                .addKeyValue("groupId", groupId)
                                .setCause(failure)
                                .log("a commit was not settled");
                    }
                });
    }

    private void finish(Turn turn, OffsetCommitResponseData answer) {
        turns.remove(turn);
        turn.answer.complete(answer);
    }

    private void fail(Turn turn, Throwable failure) {
        turns.remove(turn);
        turn.answer.completeExceptionally(failure);
    }

    private enum Stage {
        NAMING,
        ASKING,
        READY,
        SENT
    }

    /** A commit's place among those of its group. */
    private static final class Turn {
        private final CompletableFuture<OffsetCommitResponseData> answer = new CompletableFuture<>();
        private final long deadlineNanos;
        private Optional<Commit> commit = Optional.empty();
        private Stage stage = Stage.NAMING;
        private String admissionId = "";
        private Optional<ClaimIdentity> identity = Optional.empty();
        private int fences;
        /** Whether the coordinator was asked after the deadline. */
        private boolean wasOverdue;

        Turn(long deadlineNanos) {
            this.deadlineNanos = deadlineNanos;
        }

        Commit commit() {
            return commit.orElseThrow();
        }

        boolean clashesWith(Turn other) {
            return other.stage == Stage.SENT && !other.identity.equals(identity);
        }
    }
}
