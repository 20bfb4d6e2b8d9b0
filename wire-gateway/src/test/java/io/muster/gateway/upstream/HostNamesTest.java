package io.muster.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names of brokers while the name server does not answer. */
class HostNamesTest {
    private final EventExecutor loop = new DefaultEventExecutor();
    private final CountDownLatch nameServer = new CountDownLatch(1);
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private final HostNames names = new HostNames(this::ask);

    @AfterEach
    void stop() {
        nameServer.countDown();
        names.close();
        var unused = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void address_waitsForNoName() throws Exception {
        // Given
        for (int i = 0; i < 20; i++) {
            var unused = resolve("kafka" + i);
        }

        // Then
        assertThat(resolve("127.0.0.1").get(10, TimeUnit.SECONDS).getAddress().getHostAddress())
                .isEqualTo("127.0.0.1");
        assertThat(resolve("::1").get(10, TimeUnit.SECONDS).getAddress().isLoopbackAddress())
                .isTrue();
    }

    @Test
    void thoseWhoAskForANameAtTheSameTime_shareALookUp() throws Exception {
        // When
        Future<InetSocketAddress> first = resolve("kafka");
        Future<InetSocketAddress> second = resolve("kafka");
        nameServer.countDown();

        // Then
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(second.get(10, TimeUnit.SECONDS));
        assertThat(asked).containsExactly("kafka");
    }

    private Future<InetSocketAddress> resolve(String host) {
        return names.getResolver(loop).resolve(InetSocketAddress.createUnresolved(host, 9092));
    }

    private InetAddress[] ask(String host) throws UnknownHostException {
        asked.add(host);
        try {
            nameServer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnknownHostException(host);
        }
        return new InetAddress[] {InetAddress.getLoopbackAddress()};
    }
}
