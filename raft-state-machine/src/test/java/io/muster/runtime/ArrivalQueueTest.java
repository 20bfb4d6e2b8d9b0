package io.muster.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Command;
import io.muster.core.GroupCommand;
import io.muster.core.InternalCommand;
import io.muster.core.TimerKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ArrivalQueueTest {
    private static final TimerKey KEY = new TimerKey(TimerKey.Kind.SESSION, "m");

    private final ArrivalQueue queue = new ArrivalQueue();
    private final PendingCommand timer = pending(new InternalCommand.TimerFired("g", KEY, 1), "timer");
    private int arrivals;

    @Test
    void timer_isTakenWithAllThatCameWithIt() {
        // Given
        List<PendingCommand> before = arrive(2);
        queue.add(timer);
        List<PendingCommand> after = arrive(1);

        // Then
        assertThat(queue.takeAll()).containsExactly(before.get(0), before.get(1), timer, after.get(0));
        assertThat(queue.isEmpty()).isTrue();
    }

    /** Only one command fits into an entry, and two come while it is decided: the queue is never empty. */
    @Test
    void timer_isNotPutOff_byWhatComesAfterIt() {
        // Given
        arrive(6);
        queue.add(timer);
        queue.split(queue.takeAll());

        // When
        int decisions = 0;
        List<PendingCommand> decided = List.of();
        while (!decided.contains(timer)) {
            arrive(2);
            decided = queue.isSplit() ? queue.takePart() : queue.takeAll();
            decisions++;
            if (decided.size() > 1) {
                queue.split(decided);
                decided = List.of();
            }
        }

        // Then
        assertThat(decisions).isLessThanOrEqualTo(16);
    }

    @Test
    void timer_thatIsPutBack_staysInItsPlace() {
        // Given
        List<PendingCommand> before = arrive(2);
        queue.add(timer);
        List<PendingCommand> after = arrive(1);

        // When
        queue.split(queue.takeAll());
        arrive(1);

        // Then
        assertThat(queue.takePart()).containsExactly(before.get(0), before.get(1));
        assertThat(queue.takePart()).containsExactly(timer, after.get(0));
        assertThat(queue.isSplit()).isFalse();
    }

    @Test
    void timer_thatWasArmedAnew_isNotTaken() {
        // Given
        PendingCommand again = pending(new InternalCommand.TimerFired("g", KEY, 2), "again");
        List<PendingCommand> before = arrive(1);
        queue.add(timer);

        // When
        queue.withdraw(KEY);
        queue.add(again);

        // Then
        assertThat(queue.takeAll()).containsExactly(before.get(0), again);
    }

    @Test
    void parts_endBeforeWhatCameLater_andGrowAgainAfterASmallOne() {
        // Given
        List<PendingCommand> large = arrive(8);
        queue.split(queue.takeAll());
        arrive(5);

        // When
        queue.split(queue.takePart());
        queue.split(queue.takePart());

        // Then
        assertThat(queue.takePart()).isEqualTo(large.subList(0, 1));
        assertThat(queue.takePart()).isEqualTo(large.subList(1, 3));
        assertThat(queue.takePart()).isEqualTo(large.subList(3, 7));
        assertThat(queue.takePart()).isEqualTo(large.subList(7, 8));
        assertThat(queue.isSplit()).isFalse();
        assertThat(queue.takeAll()).hasSize(5);
    }

    private List<PendingCommand> arrive(int count) {
        List<PendingCommand> arrived = IntStream.range(0, count)
                .mapToObj(number -> pending(new GroupCommand.Delete("g"), "arrival-" + ++arrivals))
                .toList();
        arrived.forEach(queue::add);
        return arrived;
    }

    private static PendingCommand pending(Command command, String id) {
        return new PendingCommand(command, 0, 0, id, new CompletableFuture<>());
    }
}
