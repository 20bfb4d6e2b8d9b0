package io.muster.gateway.coordinator;

import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.rpc.CoordinatorAnswer;
import java.util.ArrayList;
import java.util.List;

/** Refusals that are collected under a lock and given after it is let go. */
final class LateAnswers {
    private final List<Runnable> answers = new ArrayList<>();

    void refuse(PendingRequest request, GroupError error, String message) {
        answers.add(() -> request.answer().accept(new CoordinatorAnswer.Decided(new Response.Refused(error, message))));
    }

    /** What was sent and has no answer may have been decided or not. */
    void unknown(PendingRequest request) {
        refuse(request, GroupError.NOT_COORDINATOR, "The leader of the group's shard was lost.");
    }

    void give() {
        answers.forEach(Runnable::run);
    }
}
