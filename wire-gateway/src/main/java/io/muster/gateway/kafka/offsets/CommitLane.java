package io.muster.gateway.kafka.offsets;

import io.muster.core.ClaimIdentity;
import io.muster.core.CommitCommand;
import io.muster.core.GroupError;
import io.muster.core.Response;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commits of one connection and group, in the client's order. Each is admitted by the coordinator and then sent under the claim;
 * one identity is in flight at a time. When upstream refuses an identity because a fence came in between, the commit is admitted
 * again, and all later ones wait behind it. Any thread.
 */
final class CommitLane {
    private static final Logger LOG = LoggerFactory.getLogger(CommitLane.class);

    /** A fence a try would have to come in between for this many to fail. */
    private static final int MOST_TRIES = 8;

    /** Errors that say that the member's epoch is too old for some of the partitions (KIP-1251). */
    private static final Set<Errors> DEPENDS_ON_PARTITIONS =
            EnumSet.of(Errors.STALE_MEMBER_EPOCH, Errors.ILLEGAL_GENERATION);

    private final GroupCoordinator coordinator;
    private final ClientUpstream upstream;
    private final Supplier<String> admissionIds;
    private final List<Turn> turns = new ArrayList<>();

    CommitLane(GroupCoordinator coordinator, ClientUpstream upstream, Supplier<String> admissionIds) {
        this.coordinator = coordinator;
        this.upstream = upstream;
        this.admissionIds = admissionIds;
    }

    /** Takes a commit on; the answer is the one for the client. */
    synchronized CompletableFuture<OffsetCommitResponseData> submit(Commit commit) {
        Turn turn = new Turn(commit);
        turns.add(turn);
        ask(turn);
        return turn.answer;
    }

    /** Completes when every commit taken on until now is answered. */
    synchronized CompletableFuture<Void> answered() {
        return CompletableFuture.allOf(
                turns.stream().map(turn -> turn.answer.exceptionally(e -> null)).toArray(CompletableFuture[]::new));
    }

    private void ask(Turn turn) {
        turn.tries++;
        turn.stage = Stage.ASKING;
        turn.admissionId = admissionIds.get();
        var unused = coordinator
                .ask(turn.commit.admission(turn.admissionId))
                .whenComplete((response, failure) -> judged(turn, response, failure));
    }

    private synchronized void judged(Turn turn, Response response, Throwable failure) {
        if (failure != null) {
            finish(turn, turn.commit.refusal(Errors.COORDINATOR_NOT_AVAILABLE));
        } else if (response instanceof Response.CommitAdmitted admitted) {
            turn.identity = Optional.of(admitted.identity());
            turn.stage = Stage.READY;
        } else if (response instanceof Response.CommitRefused refused && !refused.claimed()) {
            turn.identity = Optional.empty();
            turn.stage = Stage.READY;
        } else if (response instanceof Response.CommitRefused refused
                && refused.error() != GroupError.COORDINATOR_NOT_AVAILABLE) {
            refuse(turn, OffsetErrors.of(refused.error()));
        } else if (response instanceof Response.CommitRefused refused) {
            finish(turn, turn.commit.refusal(OffsetErrors.of(refused.error())));
        } else if (response instanceof Response.Refused refused) {
            finish(turn, turn.commit.refusal(OffsetErrors.of(refused.error())));
        } else {
            finish(turn, turn.commit.refusal(OffsetErrors.of(GroupError.COORDINATOR_NOT_AVAILABLE)));
        }
        sendWhatIsReady();
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
            if (turn.stage == Stage.ASKING) {
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
        Commit commit = turn.commit;
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
        var unused = turn.commit
                .sendAs(Commit.NOBODY, upstream)
                .whenComplete((response, failure) -> heardOfNobody(turn, error, response, failure));
    }

    private synchronized void heardOfNobody(
            Turn turn, Errors error, OffsetCommitResponseData response, Throwable failure) {
        if (failure != null) {
            turns.remove(turn);
            turn.answer.completeExceptionally(failure);
        } else {
            Optional<Commit> fewer =
                    DEPENDS_ON_PARTITIONS.contains(error) ? turn.commit.withoutUnheard(response) : Optional.empty();
            if (fewer.isPresent()) {
                turn.commit = fewer.get();
                ask(turn);
            } else {
                finish(turn, turn.commit.refusal(error, response));
            }
        }
        sendWhatIsReady();
    }

    private synchronized void heardBack(Turn turn, OffsetCommitResponseData response, Throwable failure) {
        if (failure != null) {
            // Upstream may still store it: it stays counted until a fence passes.
            turns.remove(turn);
            turn.answer.completeExceptionally(failure);
        } else if (turn.identity.isEmpty()) {
            finish(turn, turn.commit.answer(response));
        } else if (Commit.refusesClaim(response)) {
            settle(turn, true);
            askAgain(turn);
        } else {
            settle(turn, false);
            finish(turn, turn.commit.answer(response));
        }
        sendWhatIsReady();
    }

    private void askAgain(Turn turn) {
        if (turn.tries < MOST_TRIES) {
            ask(turn);
        } else {
            finish(turn, turn.commit.refusal(Errors.COORDINATOR_NOT_AVAILABLE));
        }
    }

    private void settle(Turn turn, boolean claimRefused) {
        String groupId = turn.commit.admission(turn.admissionId).groupId();
        var unused = coordinator
                .ask(new CommitCommand.Settled(groupId, turn.admissionId, claimRefused))
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

    private enum Stage {
        ASKING,
        READY,
        SENT
    }

    /** A commit's place in the lane; guarded by the lane. */
    private static final class Turn {
        private Commit commit;
        private final CompletableFuture<OffsetCommitResponseData> answer = new CompletableFuture<>();
        private Stage stage = Stage.ASKING;
        private String admissionId = "";
        private Optional<ClaimIdentity> identity = Optional.empty();
        private int tries;

        Turn(Commit commit) {
            this.commit = commit;
        }

        boolean clashesWith(Turn other) {
            return other.stage == Stage.SENT && !other.identity.equals(identity);
        }
    }
}
