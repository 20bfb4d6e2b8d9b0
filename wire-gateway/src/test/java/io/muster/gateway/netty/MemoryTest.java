package io.muster.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.gateway.upstream.ReadGate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What all connections together may take. */
class MemoryTest {
    private static final int MB = 1024 * 1024;

    private final AtomicLong now = new AtomicLong();

    @Test
    void halfRequests_beyondTheLimit_costTheConnectionThatSentNothingForLongest() {
        // Given
        RequestMemory memory = new RequestMemory(4 * MB);
        List<EmbeddedChannel> clients = new ArrayList<>();

        // When
        for (int i = 0; i < 60; i++) {
            EmbeddedChannel client = client(memory);
            clients.add(client);
            client.writeInbound(half(100 * MB));
            client.writeInbound(Unpooled.wrappedBuffer(new byte[MB / 2]));
            clients.forEach(EmbeddedChannel::runPendingTasks);
            assertThat(memory.usedBytes()).isLessThanOrEqualTo(4 * MB);
        }

        // Then
        assertThat(clients.get(0).isOpen()).isFalse();
        assertThat(clients.get(59).isOpen()).isTrue();
        assertThat(clients.stream().filter(EmbeddedChannel::isOpen)).hasSizeBetween(4, 8);
        clients.forEach(EmbeddedChannel::finishAndReleaseAll);
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void oneRequest_ofTheLargestSize_passes() {
        // Given
        RequestMemory memory = new RequestMemory(2 * MB);
        EmbeddedChannel client = client(memory);

        // When
        client.writeInbound(half(2 * MB - 4));
        client.writeInbound(Unpooled.wrappedBuffer(new byte[2 * MB - 7]));

        // Then
        ByteBuf whole = client.readInbound();
        assertThat(whole.readableBytes()).isEqualTo(2 * MB);
        whole.release();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void largeReplies_areReadWhenThereIsRoom_oneAfterTheOther() {
        // Given
        ReplyMemory memory = new ReplyMemory(3 * MB, now::get);
        EmbeddedChannel first = upstream(memory);
        EmbeddedChannel second = upstream(memory);
        first.writeInbound(half(2 * MB));

        // When
        second.writeInbound(half(2 * MB));

        // Then
        assertThat(second.config().isAutoRead()).isFalse();
        assertThat(memory.usedBytes()).isEqualTo(2 * MB + 4);
        first.writeInbound(Unpooled.wrappedBuffer(new byte[2 * MB - 3]));
        ByteBuf reply = first.readInbound();
        reply.release();
        second.runPendingTasks();
        assertThat(second.config().isAutoRead()).isTrue();
        assertThat(memory.usedBytes()).isEqualTo(2 * MB + 4);
        second.finishAndReleaseAll();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void connectionThatEnds_whileItWaitsForRoom_takesNone() {
        // Given
        ReplyMemory memory = new ReplyMemory(3 * MB, now::get);
        EmbeddedChannel first = upstream(memory);
        EmbeddedChannel second = upstream(memory);
        EmbeddedChannel third = upstream(memory);
        first.writeInbound(half(2 * MB));
        second.writeInbound(half(2 * MB));
        third.writeInbound(half(2 * MB));

        // When
        second.finishAndReleaseAll();
        first.finishAndReleaseAll();
        second.runPendingTasks();
        third.runPendingTasks();

        // Then
        assertThat(third.config().isAutoRead()).isTrue();
        third.finishAndReleaseAll();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void replyLargerThanAllMemory_passesAlone() {
        // Given
        ReplyMemory memory = new ReplyMemory(MB, now::get);
        EmbeddedChannel upstream = upstream(memory);

        // When
        upstream.writeInbound(half(2 * MB));

        // Then
        assertThat(upstream.config().isAutoRead()).isTrue();
        upstream.finishAndReleaseAll();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void replyLargerThanAllMemory_waitsForNoSmallOnes() {
        // Given
        ReplyMemory memory = new ReplyMemory(MB, now::get);
        PendingReplies small = new PendingReplies(new EmbeddedChannel(), memory, 8 * MB);
        small.ready(Unpooled.wrappedBuffer(new byte[MB / 2]));
        EmbeddedChannel upstream = upstream(memory);

        // When
        upstream.writeInbound(half(2 * MB));

        // Then
        assertThat(upstream.config().isAutoRead()).isTrue();
        upstream.finishAndReleaseAll();
        assertThat(memory.usedBytes()).isEqualTo(MB / 2);
    }

    @Test
    void client_thatTakesNothing_isClosed_whenAnotherNeedsTheRoom() {
        // Given
        ReplyMemory memory = new ReplyMemory(MB, now::get);
        EmbeddedChannel client = new EmbeddedChannel();
        PendingReplies replies = new PendingReplies(client, memory, 8 * MB);
        replies.ready(Unpooled.wrappedBuffer(new byte[MB]));
        EmbeddedChannel upstream = upstream(memory);
        upstream.writeInbound(half(MB / 2));
        assertThat(upstream.config().isAutoRead()).isFalse();
        client.runPendingTasks();
        assertThat(client.isOpen()).isTrue();

        // When
        now.addAndGet(TimeUnit.SECONDS.toNanos(2));
        upstream.advanceTimeBy(1, TimeUnit.SECONDS);
        upstream.runScheduledPendingTasks();
        client.runPendingTasks();

        // Then
        assertThat(client.isOpen()).isFalse();
    }

    @Test
    void repliesBehindOthers_pauseTheClient_andBeyondItsPartCloseIt() {
        // Given
        ReplyMemory memory = new ReplyMemory(64 * MB, now::get);
        EmbeddedChannel client = new EmbeddedChannel();
        PendingReplies replies = new PendingReplies(client, memory, 4 * MB);
        ResponseOrderer orderer = new ResponseOrderer(ByteBuf::release, () -> 0L, 1, replies);
        ResponseOrderer.Slot first = orderer.next();

        // When
        for (int i = 0; i < 4; i++) {
            orderer.next().complete(Unpooled.wrappedBuffer(new byte[MB]), Optional.empty());
        }
        assertThat(ReadGate.of(client).isOpen()).isFalse();
        assertThat(memory.usedBytes()).isEqualTo(4 * MB);
        assertThat(client.isOpen()).isTrue();
        first.complete(Unpooled.buffer(1), Optional.empty());

        // Then
        assertThat(ReadGate.of(client).isOpen()).isTrue();
        assertThat(memory.usedBytes()).isZero();
        ResponseOrderer.Slot again = orderer.next();
        assertThat(again).isNotNull();
        for (int i = 0; i < 6; i++) {
            orderer.next().complete(Unpooled.wrappedBuffer(new byte[MB]), Optional.empty());
        }
        assertThat(client.isOpen()).isFalse();
        orderer.close();
        assertThat(memory.usedBytes()).isZero();
    }

    private static EmbeddedChannel client(RequestMemory memory) {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline().addLast(new KafkaFrameDecoder(FrameLimits.of(8, 100 * MB), memory.of(channel)));
        return channel;
    }

    private static EmbeddedChannel upstream(ReplyMemory memory) {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline().addLast(new KafkaFrameDecoder(FrameLimits.of(4, 100 * MB), memory.of(channel.eventLoop())));
        return channel;
    }

    /** The first seven bytes of a frame. */
    private static ByteBuf half(int size) {
        return Unpooled.buffer().writeInt(size).writeShort(0).writeByte(0);
    }
}
