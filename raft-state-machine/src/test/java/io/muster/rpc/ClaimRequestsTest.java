package io.muster.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClaimMarks;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.rpc.proto.Wire;
import io.muster.wire.RandomValues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How claim operations go to gateways, and what comes back. */
class ClaimRequestsTest {
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    private final List<ConnectedGateway> streams = new CopyOnWriteArrayList<>();
    private final FailingMarks shard = new FailingMarks();
    private final ClaimRequests claims = new ClaimRequests(streams, timer, shard);
    private final List<ClaimOutcome> reported = new ArrayList<>();

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @Test
    void start_withoutAGateway_isUnavailable() {
        claims.start("g", operation(), reported::add);

        assertThat(reported)
                .hasOnlyElementsOfType(ClaimOutcome.Unavailable.class)
                .hasSize(1);
        assertThat(timer.getQueue()).isEmpty();
    }

    @Test
    void start_whereTheMarksCannotBeRead_isUnavailable_andLeavesNothing() {
        // Given
        shard.failure = new IllegalStateException("the store is closed");
        RecordedFrames gateway = gateway("a");

        // When
        claims.start("g", operation(), reported::add);

        // Then
        assertThat(reported)
                .hasOnlyElementsOfType(ClaimOutcome.Unavailable.class)
                .hasSize(1);
        assertThat(requests(gateway)).isEmpty();
        assertThat(timer.getQueue()).isEmpty();
    }

    @Test
    void gateways_shareTheOperations() {
        // Given
        RecordedFrames first = gateway("a");
        RecordedFrames second = gateway("b");

        // When
        for (int i = 0; i < 4; i++) {
            claims.start("g" + i, operation(), reported::add);
        }

        // Then
        assertThat(requests(first)).hasSize(2);
        assertThat(requests(second)).hasSize(2);
    }

    @Test
    void gateway_thatDoesNotKeepUp_getsNoOperation() {
        // Given
        RecordedFrames slow = gateway("a");
        slow.ready = false;
        RecordedFrames ready = gateway("b");

        // When
        claims.start("g", operation(), reported::add);

        // Then
        assertThat(requests(slow)).isEmpty();
        assertThat(requests(ready)).hasSize(1);
    }

    @Test
    void report_endsItsOperation_once() {
        // Given
        RecordedFrames gateway = gateway("a");
        claims.start("g", operation(), reported::add);
        long id = requests(gateway).get(0).getOperationId();

        // When
        report(0, id, new ClaimOutcome.Locked());
        report(0, id, new ClaimOutcome.Unavailable("no"));
        report(0, id, new ClaimOutcome.Unavailable("again"));

        // Then
        assertThat(reported).containsExactly(new ClaimOutcome.Locked(), new ClaimOutcome.Unavailable("no"));
        assertThat(timer.getQueue()).allMatch(task -> ((java.util.concurrent.Future<?>) task).isCancelled());
    }

    @Test
    void report_byAnotherGateway_isIgnored() {
        // Given
        RecordedFrames asked = gateway("a");
        claims.start("g", operation(), reported::add);
        gateway("b");

        // When
        report(1, requests(asked).get(0).getOperationId(), new ClaimOutcome.Unavailable("a lie"));

        // Then
        assertThat(reported).isEmpty();
    }

    @Test
    void gatewayThatGoes_leavesItsOperationsUnavailable_andNoOthers() {
        // Given
        gateway("a");
        RecordedFrames stays = gateway("b");
        claims.start("g1", operation(), reported::add);
        claims.start("g2", operation(), reported::add);

        // When
        claims.gone(streams.remove(0));

        // Then
        assertThat(reported)
                .hasOnlyElementsOfType(ClaimOutcome.Unavailable.class)
                .hasSize(1);
        report(0, requests(stays).get(0).getOperationId(), new ClaimOutcome.Locked());
        assertThat(reported).hasSize(2);
    }

    @Test
    void everyOperation_hasADeadline() {
        // Given
        gateway("a");

        // When
        claims.start("g", operation(), reported::add);

        // Then
        assertThat(timer.getQueue()).hasSize(1);
        assertThat(((java.util.concurrent.Delayed) timer.getQueue().peek())
                        .getDelay(java.util.concurrent.TimeUnit.MILLISECONDS))
                .isBetween(1L, Duration.ofMinutes(6).toMillis());
    }

    /** A shard whose claim marks may be unreadable. */
    private static final class FailingMarks extends OneShard {
        private @Nullable RuntimeException failure;

        @Override
        public ClaimMarks claimMarks(int number) {
            if (failure != null) {
                throw failure;
            }
            return super.claimMarks(number);
        }
    }

    private RecordedFrames gateway(String id) {
        RecordedFrames frames = new RecordedFrames();
        GatewayStream stream =
                new GatewayStream(frames, new ConnectedGateways(shard, timer), shard, OneShard.NODE, Runnable::run);
        stream.onNext(OneShard.hello(id));
        streams.add(stream);
        return frames;
    }

    private void report(int gateway, long operationId, ClaimOutcome outcome) {
        claims.reported(streams.get(gateway), operationId, outcome);
    }

    private static List<Wire.ClaimRequest> requests(RecordedFrames frames) {
        return frames.frames.stream()
                .filter(Wire.NodeFrame::hasClaimRequest)
                .map(Wire.NodeFrame::getClaimRequest)
                .toList();
    }

    private static ClaimOperation operation() {
        return new RandomValues(0).next(ClaimOperation.Fence.class);
    }
}
