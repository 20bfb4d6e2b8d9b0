package io.muster.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.gateway.upstream.ReadGate;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When connections end that do nothing. */
class ConnectionTimesTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final AtomicLong now = new AtomicLong();
    private final AtomicLong halfSince = new AtomicLong(-1);
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicBoolean awaitsUs = new AtomicBoolean();
    private final EmbeddedChannel channel = new EmbeddedChannel();

    ConnectionTimesTest() {
        channel.freezeTime();
        channel.pipeline()
                .addLast(new ConnectionTimes(
                        new ConnectionTimes.TimeLimits(10 * SECOND, 5 * SECOND, 60 * SECOND),
                        now::get,
                        this::halfNanos,
                        awaitsUs::get));
    }

    @Test
    void connectionWithoutAnyRequest_ends() {
        after(9);
        assertThat(channel.isOpen()).isTrue();
        after(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void halfRequest_ends() {
        // Given
        channel.writeInbound("request");
        after(30);
        halfSince.set(now.get() - 1);
        channel.pipeline().fireChannelReadComplete();

        // When, Then
        after(4);
        assertThat(channel.isOpen()).isTrue();
        after(6);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void halfRequest_ofAClientThatIsNotRead_isNotLookedAt_untilItIs() {
        // Given
        channel.writeInbound("request");
        halfSince.set(now.get() + 5 * SECOND);
        after(9);
        looks.set(0);

        // When
        ReadGate.of(channel).close(ReadGate.PauseReason.UPSTREAM_FULL, true);
        halfSince.set(now.get() - 5 * SECOND + 1);
        channel.advanceTimeBy(6, TimeUnit.SECONDS);
        for (int i = 0; i < 1_000; i++) {
            channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }

        // Then
        assertThat(looks).hasValueLessThan(3);
        ReadGate.of(channel).close(ReadGate.PauseReason.UPSTREAM_FULL, false);
        after(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void halfRequest_ends_whenItsTimeIsOver() {
        // Given
        channel.writeInbound("request");
        after(1);

        // When
        halfSince.set(now.get() - 1);
        channel.pipeline().fireChannelReadComplete();

        // Then
        after(4);
        assertThat(channel.isOpen()).isTrue();
        after(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void idleConnection_ends() {
        channel.writeInbound("request");
        after(59);
        assertThat(channel.isOpen()).isTrue();
        after(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void clientThatAwaitsAnAnswer_isNotIdle() {
        // Given
        channel.writeInbound("join");
        awaitsUs.set(true);

        // When
        after(600);
        assertThat(channel.isOpen()).isTrue();
        awaitsUs.set(false);
        channel.writeOutbound("answer");

        // Then
        after(59);
        assertThat(channel.isOpen()).isTrue();
        after(61);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void requestsAndReplies_keepAConnection() {
        channel.writeInbound("request");
        for (int i = 0; i < 20; i++) {
            after(50);
            if (i % 2 == 0) {
                channel.writeInbound("request");
            } else {
                channel.writeOutbound("answer");
            }
        }
        assertThat(channel.isOpen()).isTrue();
    }

    private long halfNanos() {
        looks.incrementAndGet();
        return halfSince.get() < 0 ? 0 : now.get() - halfSince.get();
    }

    private void after(int seconds) {
        for (int i = 0; i < seconds; i++) {
            now.addAndGet(SECOND);
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
        }
    }
}
