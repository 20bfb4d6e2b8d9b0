package io.muster.gateway.netty;

import io.muster.core.Command;
import io.muster.core.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A coordinator that owns every group and answers nothing before the test does. */
final class HeldGroups extends NoGroups {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final List<Heard> heard = new ArrayList<>();

    private record Heard(Command command, CompletableFuture<Response> answer) {}

    @Override
    public boolean owns(String groupId) {
        return true;
    }

    @Override
    public synchronized CompletableFuture<Response> submit(Command command) {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        heard.add(new Heard(command, answer));
        return answer;
    }

    /** The commands of this type so far, in the order in which they came. */
    synchronized <C extends Command> List<C> heard(Class<C> type) {
        return heard.stream()
                .map(Heard::command)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    <C extends Command> void await(Class<C> type) {
        await(type, command -> true);
    }

    <C extends Command> void answer(Class<C> type, Response response) {
        answer(type, command -> true, response);
    }

    /** Waits until a command of this kind is there. */
    <C extends Command> void await(Class<C> type, Predicate<C> which) {
        Awaitility.await().atMost(LIMIT).until(() -> heard(type).stream().anyMatch(which));
    }

    /** Answers the first such command. */
    <C extends Command> void answer(Class<C> type, Predicate<C> which, Response response) {
        await(type, which);
        Heard first;
        synchronized (this) {
            first = heard.stream()
                    .filter(one -> type.isInstance(one.command()) && which.test(type.cast(one.command())))
                    .findFirst()
                    .orElseThrow();
        }
        first.answer().complete(response);
    }
}
