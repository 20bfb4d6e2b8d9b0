package io.muster.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResponseOrdererTest {
    private static final long LATE_NANOS = 1_000;

    private final List<Byte> out = new ArrayList<>();
    private long nowNanos;
    private int waitingBytes;
    private final ResponseOrderer orderer =
            new ResponseOrderer(this::letOut, () -> nowNanos, LATE_NANOS, new Waiting());

    @Test
    void responses_areLetOutInTheOrderOfTheRequests() {
        // Given
        ResponseOrderer.Slot first = orderer.next();
        ResponseOrderer.Slot second = orderer.next();
        ResponseOrderer.Slot third = orderer.next();

        // When
        third.complete(frame(3), Optional.empty());
        second.complete(frame(2), Optional.empty());
        assertThat(out).isEmpty();
        assertThat(orderer.inFlight()).isEqualTo(3);
        assertThat(waitingBytes).isEqualTo(2);
        first.complete(frame(1), Optional.empty());

        // Then
        assertThat(out).containsExactly((byte) 1, (byte) 2, (byte) 3);
        assertThat(waitingBytes).isZero();
        assertThat(orderer.inFlight()).isZero();
    }

    @Test
    void response_thatWaitedTooLongBehindOthers_isReplacedAndReleased() {
        // Given
        ResponseOrderer.Slot first = orderer.next();
        ResponseOrderer.Slot second = orderer.next();
        ByteBuf stale = frame(2);
        second.complete(stale, Optional.of(() -> frame(9)));

        // When
        nowNanos = LATE_NANOS + 1;
        first.complete(frame(1), Optional.empty());

        // Then
        assertThat(out).containsExactly((byte) 1, (byte) 9);
        assertThat(stale.refCnt()).isZero();
    }

    @Test
    void response_whoseReplacementFails_isReleased() {
        // Given
        ResponseOrderer.Slot first = orderer.next();
        ByteBuf stale = frame(2);
        orderer.next().complete(stale, Optional.of(() -> {
            throw new IllegalStateException("no replacement");
        }));

        // When
        nowNanos = LATE_NANOS + 1;
        assertThatThrownBy(() -> first.complete(frame(1), Optional.empty())).hasMessage("no replacement");

        // Then
        assertThat(stale.refCnt()).isZero();
    }

    @Test
    void response_thatWasReadyInTime_isNotReplaced() {
        // Given
        ResponseOrderer.Slot only = orderer.next();
        nowNanos = LATE_NANOS * 10;

        // When
        only.complete(frame(1), Optional.of(() -> frame(9)));

        // Then
        assertThat(out).containsExactly((byte) 1);
    }

    @Test
    void responses_ofAConnectionThatIsClosed_areReleased() {
        // Given
        ResponseOrderer.Slot first = orderer.next();
        ResponseOrderer.Slot second = orderer.next();
        ByteBuf ready = frame(2);
        ByteBuf late = frame(1);
        second.complete(ready, Optional.empty());

        // When
        orderer.close();
        first.complete(late, Optional.empty());

        // Then
        assertThat(out).isEmpty();
        assertThat(ready.refCnt()).isZero();
        assertThat(late.refCnt()).isZero();
        assertThat(orderer.inFlight()).isZero();
    }

    /** Counts the bytes of responses that wait for those before them. */
    private final class Waiting implements ResponseOrderer.Behind {
        @Override
        public void ready(ByteBuf response) {
            waitingBytes += response.readableBytes();
        }

        @Override
        public void goes(ByteBuf response) {
            waitingBytes -= response.readableBytes();
        }
    }

    private void letOut(ByteBuf frame) {
        out.add(frame.readByte());
        frame.release();
    }

    private static ByteBuf frame(int content) {
        return Unpooled.wrappedBuffer(new byte[] {(byte) content});
    }
}
