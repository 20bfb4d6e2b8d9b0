package io.muster.runtime;

import io.muster.core.Decision;
import io.muster.core.Effect;
import io.muster.core.GroupError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The replies and effects of one decision, held back until its records are applied or, if it has none, until the leadership is
 * confirmed.
 */
record PendingReplies(Decision decision, List<PendingCommand> commands) {
    private static final String OUTCOME_UNKNOWN = "The leadership changed while the request was under way.";

    /** Answers all that was not left to wait, and starts what the decision asks for outside of it. */
    void release(Consumer<Effect> start) {
        decision.replies().forEach(reply -> commands.get(reply.arrival()).answer(reply.response()));
        decision.effects().forEach(start);
    }

    /** Whether the decision counts is not known: who asked has to ask again. */
    void refuse() {
        open().forEach(command -> command.refuse(GroupError.NOT_COORDINATOR, OUTCOME_UNKNOWN));
    }

    /** The commands that the decision did not leave to wait: nothing of it was applied, so they are as good as new. */
    List<PendingCommand> open() {
        Set<Integer> waiting = new HashSet<>(decision.waiting());
        List<PendingCommand> open = new ArrayList<>();
        for (int i = 0; i < commands.size(); i++) {
            if (!waiting.contains(i)) {
                open.add(commands.get(i));
            }
        }
        return open;
    }

    /** Whether nothing outside comes of it: nobody reads an answer, and nothing is started. */
    boolean areUnread() {
        return decision.effects().isEmpty() && open().stream().noneMatch(PendingCommand::isAnswerRead);
    }

    String groupId() {
        return decision.after().id();
    }
}
