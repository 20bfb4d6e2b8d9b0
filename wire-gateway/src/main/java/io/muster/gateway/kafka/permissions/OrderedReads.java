package io.muster.gateway.kafka.permissions;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Answers whether groups may be read in the order in which that was asked, so that what waits for the first answer is not overtaken
 * by what finds it known. Used on the connection's event loop only.
 */
final class OrderedReads {
    private final GroupReads reads;
    private final Map<String, CompletableFuture<Void>> lastTurns = new HashMap<>();

    OrderedReads(GroupReads reads) {
        this.reads = reads;
    }

    /** Whether the group may be read, as was known before or as the broker says it now. */
    CompletableFuture<Boolean> allowed(String groupId) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        CompletableFuture<Void> turn = new CompletableFuture<>();
        CompletableFuture<Void> before = lastTurns.put(groupId, turn);
        if (before == null) {
            answer(groupId, answer, turn);
        } else {
            var unused = before.thenRun(() -> answer(groupId, answer, turn));
        }
        return answer;
    }

    /** The turn is over when all that waited for the answer has begun. */
    private void answer(String groupId, CompletableFuture<Boolean> answer, CompletableFuture<Void> turn) {
        CompletableFuture<Boolean> said =
                reads.wereAllowed(groupId) ? CompletableFuture.completedFuture(true) : reads.ask(groupId);
        var unused = said.whenComplete((allowed, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                answer.complete(allowed);
            }
            lastTurns.remove(groupId, turn);
            turn.complete(null);
        });
    }
}
