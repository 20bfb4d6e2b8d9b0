package io.muster.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class SendQueueTest {
    private final Queue<Runnable> scheduled = new ArrayDeque<>();
    private final List<List<Integer>> frames = new ArrayList<>();
    private final SendQueue<Integer> queue = new SendQueue<>(scheduled::add, this::sendAll);

    @Test
    void add_whileTheThreadIsBusy_goesInOneFrame() {
        queue.add(1);
        queue.add(2);
        queue.add(3);

        assertThat(scheduled).hasSize(1);
        scheduled.remove().run();

        assertThat(frames).containsExactly(List.of(1, 2, 3));
    }

    @Test
    void add_afterTheThreadHasSent_isSentAgain() {
        queue.add(1);
        scheduled.remove().run();
        queue.add(2);

        scheduled.remove().run();

        assertThat(frames).containsExactly(List.of(1), List.of(2));
    }

    private void sendAll() {
        List<Integer> frame = new ArrayList<>();
        for (Integer next = queue.poll(); next != null; next = queue.poll()) {
            frame.add(next);
        }
        frames.add(frame);
    }
}
