package io.muster.rpc;

import io.muster.core.FeatureLevel;
import io.muster.rpc.proto.AdminWire;
import java.util.List;
import java.util.Optional;

/** What the nodes of a cluster can agree to write. */
final class FeatureLevels {
    private FeatureLevels() {}

    /** The highest level that all of these nodes read. */
    static int common(List<AdminWire.NodeState> nodes) {
        return nodes.stream().mapToInt(FeatureLevels::supported).min().orElse(FeatureLevel.FIRST);
    }

    /**
     * Why the cluster cannot be raised, in a sentence; empty if it can.
     *
     * @param level 0 for the highest that all nodes read
     */
    static Optional<String> obstacle(List<AdminWire.NodeState> nodes, int level) {
        for (AdminWire.NodeState node : nodes) {
            if (!node.getReachable()) {
                return Optional.of("Node " + node.getNodeId() + " does not answer, so it is not known what it reads.");
            }
            if (supported(node) < level) {
                return Optional.of("Node " + node.getNodeId() + " reads no feature level above " + supported(node)
                        + "; upgrade it first.");
            }
        }
        return Optional.empty();
    }

    /** Nodes of the first version do not say. */
    private static int supported(AdminWire.NodeState node) {
        return Math.max(FeatureLevel.FIRST, node.getSupportedFeatureLevel());
    }
}
