package io.muster.gateway.kafka.api;

import io.muster.core.Command;
import io.muster.core.Response;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The owner of the group {@code g}, which gives its answers one after the other. */
final class OneAfterAnother extends GroupOwner {
    private final Deque<Response> left = new ArrayDeque<>();
    private final List<Command> asked = new ArrayList<>();

    void give(Response... responses) {
        left.addAll(List.of(responses));
    }

    /** Every command so far. */
    List<Command> asked() {
        return asked;
    }

    @Override
    public CompletableFuture<Response> submit(Command command) {
        asked.add(command);
        return CompletableFuture.completedFuture(left.remove());
    }
}
