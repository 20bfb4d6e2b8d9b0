package io.muster.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.rpc.proto.AdminWire;
import java.util.List;
import org.junit.jupiter.api.Test;

class FeatureLevelsTest {
    private final AdminWire.NodeState first = node("n1", 0, true);
    private final AdminWire.NodeState newer = node("n2", 3, true);

    @Test
    void common_isWhatTheOldestNodeReads() {
        assertThat(FeatureLevels.common(List.of(first, newer))).isEqualTo(1);
        assertThat(FeatureLevels.common(List.of(newer, node("n3", 2, true)))).isEqualTo(2);
    }

    @Test
    void obstacle_isANodeThatDoesNotReadTheLevel() {
        assertThat(FeatureLevels.obstacle(List.of(newer, first), 2))
                .hasValueSatisfying(words -> assertThat(words).contains("n1").contains("upgrade"));
        assertThat(FeatureLevels.obstacle(List.of(newer, first), 1)).isEmpty();
    }

    @Test
    void obstacle_isANodeThatDoesNotAnswer() {
        assertThat(FeatureLevels.obstacle(List.of(newer, node("n3", 0, false)), 0))
                .hasValueSatisfying(words -> assertThat(words).contains("n3"));
    }

    private static AdminWire.NodeState node(String id, int supported, boolean reachable) {
        return AdminWire.NodeState.newBuilder()
                .setNodeId(id)
                .setSupportedFeatureLevel(supported)
                .setReachable(reachable)
                .build();
    }
}
