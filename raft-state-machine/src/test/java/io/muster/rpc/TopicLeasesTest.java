package io.muster.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClaimMarks;
import io.muster.core.Command;
import io.muster.core.Response;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.GroupSummary;
import io.muster.runtime.TopicReport;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TopicLeasesTest {
    private final RecordedFrames gateway = new RecordedFrames();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final NoShards shards = new NoShards();
    private final TopicLeases leases = new TopicLeases(
            List.of(new GatewayStream(
                    gateway,
                    new ConnectedGateways(shards, timer),
                    shards,
                    new NodeIdentity("node", new ClusterIdentity("cluster", "", 1, List.of("node")), () -> "", false),
                    Runnable::run)),
            shards);

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @Test
    void topics_droppedAndWantedAgainWhileTheGatewayDoesNotKeepUp_areLookedAt() {
        // Given
        leases.watch(0, Set.of("dropped", "kept"));
        gateway.ready = false;
        leases.watch(0, Set.of("kept"));
        leases.watch(0, Set.of("dropped", "kept", "new"));

        // When
        gateway.ready = true;
        leases.leaseAll();

        // Then
        assertThat(gateway.frames)
                .extracting(Wire.NodeFrame::getFrameCase)
                .containsExactly(
                        Wire.NodeFrame.FrameCase.TOPIC_LEASE,
                        Wire.NodeFrame.FrameCase.TOPIC_LEASE,
                        Wire.NodeFrame.FrameCase.TOPIC_LOOK);
        assertThat(gateway.frames.get(1).getTopicLease().getNamesList()).containsExactly("dropped", "kept", "new");
        assertThat(gateway.frames.get(2).getTopicLook().getNamesList()).containsExactly("dropped");
    }

    @Test
    void topics_droppedForGood_areNotLookedAt() {
        // When
        leases.watch(0, Set.of("dropped", "kept"));
        leases.watch(0, Set.of("kept"));

        // Then
        assertThat(gateway.frames).allMatch(Wire.NodeFrame::hasTopicLease);
    }

    /** A node without shards of its own. */
    private static final class NoShards implements LocalShards {
        @Override
        public int count() {
            return 1;
        }

        @Override
        public ShardLeadership leadership(int shard) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Response> submit(Command command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<List<GroupSummary>> listGroups(int shard) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Response> raiseFeatureLevel(int shard, int level) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void topicsCreated() {}

        @Override
        public ClaimMarks claimMarks(int shard) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void topicsReported(int shard, TopicReport report) {
            throw new UnsupportedOperationException();
        }
    }
}
