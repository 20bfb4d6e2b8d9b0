package io.muster.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.rpc.proto.AdminWire;
import io.muster.rpc.proto.Wire;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What one node says of itself. */
class NodeStatesTest {
    private final CountDownLatch digested = new CountDownLatch(1);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final ConnectedGateways gateways = new ConnectedGateways(new OneShard(), timer);
    private final NodeStates states = new NodeStates(
            OneShard.NODE,
            new SlowlyDigested(digested),
            new AdminPeers(List.of(), null),
            gateways,
            ForkJoinPool.commonPool());

    @AfterEach
    void stop() {
        digested.countDown();
        states.close();
        timer.shutdownNow();
    }

    @Test
    void nodeStatus_saysWhatItsGatewaysComplainOf() throws Exception {
        // Given
        GatewayStream gateway =
                new GatewayStream(new RecordedFrames(), gateways, new OneShard(), OneShard.NODE, Runnable::run);
        gateway.onNext(OneShard.hello("gateway1"));

        // When
        gateway.onNext(Wire.GatewayFrame.newBuilder()
                .setTroubles(Wire.Troubles.newBuilder().addTroubles("broker 7 is left out"))
                .build());

        // Then
        assertThat(ask(false).get(10, TimeUnit.SECONDS).getGatewayTroublesList())
                .containsExactly("gateway1: broker 7 is left out");
        gateway.onCompleted();
        assertThat(ask(false).get(10, TimeUnit.SECONDS).getGatewayTroublesList())
                .isEmpty();
    }

    @Test
    void nodeStatus_isAnswered_whileStoresAreRead() throws Exception {
        // Given
        List<CompletableFuture<AdminWire.NodeState>> withDigests = List.of(ask(true), ask(true), ask(true));

        // When
        AdminWire.NodeState state = ask(false).get(10, TimeUnit.SECONDS);

        // Then
        assertThat(state.getReachable()).isTrue();
        assertThat(state.getShards(0).getStoreDigest()).isEmpty();
        assertThat(withDigests).noneMatch(CompletableFuture::isDone);
        digested.countDown();
        for (CompletableFuture<AdminWire.NodeState> each : withDigests) {
            assertThat(each.get(10, TimeUnit.SECONDS).getShards(0).getStoreDigest())
                    .isEqualTo("d0");
        }
    }

    private CompletableFuture<AdminWire.NodeState> ask(boolean digests) {
        return states.ofThis(digests);
    }

    /** A node whose store is so large that its digest waits for the test. */
    private record SlowlyDigested(CountDownLatch digested) implements LocalNode {
        @Override
        public List<ShardState> shardStates() {
            return List.of(new ShardState(0, "LEADER", "node1", 1, 2, 2, -1, 1, 0));
        }

        @Override
        public String storeDigest(int shard) {
            try {
                digested.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "d" + shard;
        }

        @Override
        public void transferLeadership(int shard, String toNodeId) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long takeSnapshot(int shard) {
            throw new UnsupportedOperationException();
        }
    }
}
