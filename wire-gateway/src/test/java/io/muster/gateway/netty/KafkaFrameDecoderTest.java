package io.muster.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.gateway.upstream.ReadGate;
import io.muster.gateway.upstream.ReadGate.PauseReason;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Frames out of a stream of bytes that is cut anywhere. */
class KafkaFrameDecoderTest {
    private static final int MOST = 1_000_000;
    private static final short GROUP_KEY = 68;

    private final RequestMemory memory = new RequestMemory(2 * MOST, System::nanoTime);
    private final EmbeddedChannel channel = new EmbeddedChannel();

    KafkaFrameDecoderTest() {
        FrameLimits limits = new FrameLimits(8, MOST, Set.of(GROUP_KEY), 1_000);
        channel.pipeline().addLast(new KafkaFrameDecoder(limits, memory.of(channel)));
    }

    @Test
    void frames_ofAnySize_inPiecesOfAnySize_arriveWhole() {
        for (int seed = 0; seed < 200; seed++) {
            // Given
            Random random = new Random(seed);
            List<byte[]> frames = new ArrayList<>();
            ByteBuf stream = Unpooled.buffer();
            for (int i = random.nextInt(6); i >= 0; i--) {
                byte[] frame = frame(8 + random.nextInt(random.nextInt(4) == 0 ? 300_000 : 200), 0);
                random.ints(frame.length - 6, 0, 256)
                        .forEach(b -> frame[6 + random.nextInt(frame.length - 6)] = (byte) b);
                frames.add(frame);
                stream.writeBytes(frame);
            }

            // When
            while (stream.isReadable()) {
                int piece = Math.min(stream.readableBytes(), 1 + random.nextInt(random.nextBoolean() ? 7 : 70_000));
                channel.writeInbound(stream.readBytes(piece));
            }

            // Then
            for (byte[] frame : frames) {
                assertThat(received()).as("seed %s", seed).isEqualTo(frame);
            }
            assertThat(channel.<ByteBuf>readInbound()).isNull();
            assertThat(memory.usedBytes()).as("seed %s", seed).isZero();
            stream.release();
        }
    }

    @Test
    void halfFrame_takesMemoryForWhatArrivedOfIt_andGivesItBack() {
        // When
        channel.writeInbound(Unpooled.wrappedBuffer(Arrays.copyOf(frame(MOST, 0), 100)));

        // Then
        assertThat(memory.usedBytes()).isBetween(1L, 100_000L);
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[300_000]));
        assertThat(memory.usedBytes()).isBetween(300_000L, 700_000L);
        channel.finishAndReleaseAll();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void largeFrame_isCounted_untilItIsReleased() {
        // When
        byte[] frame = frame(500_000, 0);
        channel.writeInbound(Unpooled.wrappedBuffer(Arrays.copyOf(frame, 400_000)));
        channel.writeInbound(Unpooled.wrappedBuffer(Arrays.copyOfRange(frame, 400_000, frame.length)));

        // Then
        ByteBuf whole = channel.readInbound();
        assertThat(memory.usedBytes()).isGreaterThanOrEqualTo(500_000);
        whole.release();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void badLengths_areRefusedAtTheirFirstBytes() {
        for (int size : new int[] {-1, Integer.MIN_VALUE, 0, 7, MOST + 1, Integer.MAX_VALUE}) {
            // Given
            EmbeddedChannel fresh =
                    new EmbeddedChannel(new KafkaFrameDecoder(FrameLimits.of(8, MOST), memory.of(channel)));

            // When, Then
            assertThatThrownBy(() -> fresh.writeInbound(Unpooled.copyInt(size, 0)))
                    .isInstanceOf(CorruptedFrameException.class);
        }
    }

    @Test
    void groupRequest_thatIsLarge_isRefusedBeforeItIsCollected() {
        // When, Then
        assertThatThrownBy(
                        () -> channel.writeInbound(Unpooled.wrappedBuffer(Arrays.copyOf(frame(1_001, GROUP_KEY), 6))))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessageContaining("API key 68");
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void closedGate_holdsFramesBack_untilItOpens() {
        // Given
        ReadGate gate = ReadGate.of(channel);
        gate.close(PauseReason.TOO_MANY_REQUESTS, true);
        gate.close(PauseReason.UPSTREAM_FULL, true);
        channel.writeInbound(Unpooled.wrappedBuffer(frame(8, 0), frame(9, 0)));
        assertThat(channel.<ByteBuf>readInbound()).isNull();
        assertThat(channel.config().isAutoRead()).isFalse();

        // When
        gate.close(PauseReason.UPSTREAM_FULL, false);
        assertThat(channel.<ByteBuf>readInbound()).isNull();
        gate.close(PauseReason.TOO_MANY_REQUESTS, false);

        // Then
        assertThat(received()).hasSize(12);
        assertThat(received()).hasSize(13);
    }

    private byte[] received() {
        ByteBuf frame = channel.readInbound();
        byte[] bytes = ByteBufUtil.getBytes(frame);
        frame.release();
        return bytes;
    }

    private static byte[] frame(int size, int key) {
        byte[] frame = new byte[4 + size];
        Unpooled.wrappedBuffer(frame).setInt(0, size).setShort(4, key);
        return frame;
    }
}
