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
        RequestMemory memory = new RequestMemory(4 * MB, now::get);
        List<EmbeddedChannel> clients = new ArrayList<>();

        // When
        for (int i = 0; i < 60; i++) {
            EmbeddedChannel client = client(memory);
            clients.add(client);
            client.writeInbound(half(100 * MB));
            client.writeInbound(Unpooled.wrappedBuffer(new byte[MB / 2]));
            assertThat(memory.usedBytes()).isLessThanOrEqualTo(4 * MB);
            runTasks(clients);
            assertThat(memory.usedBytes()).isLessThanOrEqualTo(4 * MB);
            assertThat(client.config().isAutoRead()).isTrue();
            now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        }

        // Then
        assertThat(clients.get(0).isOpen()).isFalse();
        assertThat(clients.get(59).isOpen()).isTrue();
        assertThat(clients.stream().filter(EmbeddedChannel::isOpen)).hasSizeBetween(4, 8);
        clients.forEach(EmbeddedChannel::finishAndReleaseAll);
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void requests_thatBothArrive_waitForEachOther_ratherThanCostAConnection() {
        // Given
        RequestMemory memory = new RequestMemory(3 * MB, now::get);
        EmbeddedChannel first = client(memory);
        EmbeddedChannel second = client(memory);
        first.writeInbound(half(2 * MB), Unpooled.wrappedBuffer(new byte[MB + MB / 2]));
        second.writeInbound(half(2 * MB), Unpooled.wrappedBuffer(new byte[MB + MB / 2]));
        assertThat(second.config().isAutoRead()).isFalse();

        // When
        first.writeInbound(Unpooled.wrappedBuffer(new byte[MB / 2 - 3]));
        ByteBuf whole = first.readInbound();
        assertThat(whole.readableBytes()).isEqualTo(2 * MB + 4);
        whole.release();
        second.runPendingTasks();
        second.writeInbound(Unpooled.wrappedBuffer(new byte[MB / 2 - 3]));

        // Then
        whole = second.readInbound();
        assertThat(whole.readableBytes()).isEqualTo(2 * MB + 4);
        whole.release();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void smallerRequest_goesBeforeLargeOnes_thatWaitForEachOther() {
        // Given
        RequestMemory memory = new RequestMemory(4 * MB, now::get);
        List<EmbeddedChannel> large = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            EmbeddedChannel client = client(memory);
            large.add(client);
            client.writeInbound(half(100 * MB), Unpooled.wrappedBuffer(new byte[MB / 2]));
            client.writeInbound(Unpooled.wrappedBuffer(new byte[MB / 2]));
        }
        assertThat(large).anyMatch(client -> !client.config().isAutoRead());
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));

        // When
        EmbeddedChannel small = client(memory);
        small.writeInbound(half(MB / 2 - 4), Unpooled.wrappedBuffer(new byte[MB / 2 - 7]));
        large.add(small);
        runTasks(large);

        // Then
        ByteBuf whole = small.readInbound();
        assertThat(whole.readableBytes()).isEqualTo(MB / 2);
        whole.release();
        assertThat(small.isOpen()).isTrue();
        assertThat(large.stream().filter(EmbeddedChannel::isOpen)).hasSizeGreaterThanOrEqualTo(4);
        large.forEach(EmbeddedChannel::finishAndReleaseAll);
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void request_thatUpstreamHasNotTaken_counts_thoughItsClientIsClosedForIt() {
        // Given
        RequestMemory memory = new RequestMemory(3 * MB, now::get);
        EmbeddedChannel first = client(memory);
        EmbeddedChannel second = client(memory);
        first.writeInbound(half(2 * MB - 4), Unpooled.wrappedBuffer(new byte[2 * MB - 7]));
        ByteBuf held = first.readInbound();
        second.writeInbound(half(2 * MB - 4), Unpooled.wrappedBuffer(new byte[2 * MB - 7]));
        look(List.of(first, second), 2_000);
        assertThat(first.isOpen()).isTrue();

        // When
        look(List.of(first, second), 4_000);

        // Then
        assertThat(first.isOpen()).isFalse();
        assertThat(second.isOpen()).isTrue();
        assertThat(second.config().isAutoRead()).isFalse();
        assertThat(memory.usedBytes()).isBetween(2L * MB, 3L * MB);
        held.release();
        second.runPendingTasks();
        held = second.readInbound();
        assertThat(held.readableBytes()).isEqualTo(2 * MB);
        held.release();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void requests_thatArriveByteByByte_costTheirConnections_whenAnotherWaitsForLong() {
        // Given
        RequestMemory memory = new RequestMemory(3 * MB, now::get);
        EmbeddedChannel slow = client(memory);
        EmbeddedChannel good = client(memory);
        slow.writeInbound(half(2 * MB), Unpooled.wrappedBuffer(new byte[MB + MB / 2]));
        good.writeInbound(half(2 * MB - 4), Unpooled.wrappedBuffer(new byte[2 * MB - 7]));

        // When
        for (int i = 0; i < 9; i++) {
            slow.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
            look(List.of(slow, good), 500);
        }
        assertThat(slow.isOpen()).isTrue();
        look(List.of(slow, good), 500);

        // Then
        assertThat(slow.isOpen()).isFalse();
        ByteBuf whole = good.readInbound();
        assertThat(whole.readableBytes()).isEqualTo(2 * MB);
        whole.release();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void oneRequest_ofTheLargestSize_passes() {
        // Given
        RequestMemory memory = new RequestMemory(2 * MB, now::get);
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
        UntakenReplies small = new UntakenReplies(new EmbeddedChannel(), memory, 8 * MB);
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
        UntakenReplies replies = new UntakenReplies(client, memory, 8 * MB);
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
    void client_thatHadNothingToTake_isNotTheOneThatIsClosed() {
        // Given
        ReplyMemory memory = new ReplyMemory(4 * MB, now::get);
        EmbeddedChannel waiting = new EmbeddedChannel();
        UntakenReplies behind = new UntakenReplies(waiting, memory, 8 * MB);
        behind.ready(Unpooled.wrappedBuffer(new byte[MB]));
        now.addAndGet(TimeUnit.SECONDS.toNanos(30));
        EmbeddedChannel unread = new EmbeddedChannel();
        UntakenReplies untaken = new UntakenReplies(unread, memory, 8 * MB);
        unread.pipeline().addLast(untaken);
        var unused = unread.write(Unpooled.wrappedBuffer(new byte[2 * MB]));
        now.addAndGet(TimeUnit.SECONDS.toNanos(2));

        // When
        EmbeddedChannel upstream = upstream(memory);
        upstream.writeInbound(half(2 * MB));
        runTasks(List.of(waiting, unread));

        // Then
        assertThat(unread.isOpen()).isFalse();
        assertThat(waiting.isOpen()).isTrue();
        upstream.finishAndReleaseAll();
    }

    @Test
    void client_whoseReplyHasJustBecomeReady_hasTimeToTakeIt() {
        // Given
        ReplyMemory memory = new ReplyMemory(4 * MB, now::get);
        EmbeddedChannel client = new EmbeddedChannel();
        UntakenReplies replies = new UntakenReplies(client, memory, 8 * MB);
        client.pipeline().addLast(replies);
        ByteBuf second = Unpooled.wrappedBuffer(new byte[3 * MB]);
        replies.ready(second);
        now.addAndGet(TimeUnit.SECONDS.toNanos(30));
        var unusedFirst = client.write(Unpooled.wrappedBuffer(new byte[1]));
        replies.goes(second);
        var unusedSecond = client.write(second);

        // When
        EmbeddedChannel upstream = upstream(memory);
        upstream.writeInbound(half(2 * MB));
        client.runPendingTasks();

        // Then
        assertThat(client.isOpen()).isTrue();
        upstream.finishAndReleaseAll();
        client.finishAndReleaseAll();
    }

    @Test
    void repliesBehindOthers_pauseTheClient_andBeyondItsPartCloseIt() {
        // Given
        ReplyMemory memory = new ReplyMemory(64 * MB, now::get);
        EmbeddedChannel client = new EmbeddedChannel();
        UntakenReplies replies = new UntakenReplies(client, memory, 4 * MB);
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

    /** Lets time go by while somebody waits for room. */
    private void look(List<EmbeddedChannel> channels, int millis) {
        for (int i = 0; i < millis; i += 250) {
            now.addAndGet(TimeUnit.MILLISECONDS.toNanos(250));
            channels.forEach(channel -> channel.advanceTimeBy(250, TimeUnit.MILLISECONDS));
            channels.forEach(EmbeddedChannel::runScheduledPendingTasks);
            runTasks(channels);
        }
    }

    private static void runTasks(List<EmbeddedChannel> channels) {
        for (int i = 0; i < 5; i++) {
            channels.forEach(EmbeddedChannel::runPendingTasks);
        }
    }

    private static EmbeddedChannel client(RequestMemory memory) {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
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
