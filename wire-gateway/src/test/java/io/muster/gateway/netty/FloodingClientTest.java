package io.muster.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client that sends many small requests at once, and the others of its event loop. */
class FloodingClientTest {
    private static final int REQUESTS = 10_000;

    /** Requests of one client that are handled in a row. */
    private static final int TURN = 128;

    private final AtomicInteger looksAtSockets = new AtomicInteger();
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, new CountingFactory());

    @AfterEach
    void stop() {
        var unused = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void socketsOfOthers_areLookedAt_afterEachTurnOfAFlood() throws Exception {
        // Given
        LocalChannel client = new LocalChannel();
        loop.register(client).sync();
        CountDownLatch requests = new CountDownLatch(REQUESTS);
        client.pipeline()
                .addLast(
                        new KafkaFrameDecoder(
                                FrameLimits.of(0, 100), new RequestMemory(1, System::nanoTime).of(client)),
                        new Counting(requests));
        ByteBuf flood = Unpooled.buffer();
        for (int i = 0; i < REQUESTS; i++) {
            flood.writeInt(4).writeInt(i);
        }
        int before = looksAtSockets.get();

        // When
        client.pipeline().fireChannelRead(flood);

        // Then
        assertThat(requests.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(looksAtSockets.get() - before).isGreaterThanOrEqualTo(REQUESTS / TURN);
    }

    private static final class Counting extends ChannelInboundHandlerAdapter {
        private final CountDownLatch requests;

        Counting(CountDownLatch requests) {
            this.requests = requests;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object request) {
            ((ByteBuf) request).release();
            requests.countDown();
        }
    }

    private final class CountingFactory implements IoHandlerFactory {
        @Override
        public IoHandler newHandler(ThreadAwareExecutor executor) {
            return new CountingHandler(LocalIoHandler.newFactory().newHandler(executor));
        }
    }

    private final class CountingHandler implements IoHandler {
        private final IoHandler handler;

        CountingHandler(IoHandler handler) {
            this.handler = handler;
        }

        @Override
        public int run(IoHandlerContext context) {
            looksAtSockets.incrementAndGet();
            return handler.run(context);
        }

        @Override
        public void prepareToDestroy() {
            handler.prepareToDestroy();
        }

        @Override
        public void destroy() {
            handler.destroy();
        }

        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            return handler.register(handle);
        }

        @Override
        public void wakeup() {
            handler.wakeup();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> type) {
            return handler.isCompatible(type);
        }
    }
}
