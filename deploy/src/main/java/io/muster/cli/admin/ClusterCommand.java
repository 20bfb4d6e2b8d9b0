package io.muster.cli.admin;

import io.muster.cli.admin.AdminOptions.Shown;
import io.muster.rpc.proto.AdminWire;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster cluster}. */
@Command(name = "cluster", description = "Shows and steers the nodes.")
public final class ClusterCommand {
    private static final int DIGEST_LETTERS = 12;

    @Command(name = "status", description = "Every node and shard: roles, terms, log indices.")
    int status(
            @Mixin AdminOptions options,
            @Option(
                            names = "--digest",
                            description =
                                    "Also a digest of each store, equal on nodes with equal content. Reads the stores"
                                            + " from end to end: give large ones time with --timeout.")
                    boolean digest) {
        return options.ask(stub -> show(stub.clusterStatus(
                AdminWire.ClusterStatusRequest.newBuilder().setDigests(digest).build())));
    }

    @Command(name = "transfer", description = "Moves the leadership of a shard to another node.")
    int transfer(
            @Mixin AdminOptions options,
            @Option(names = "--shard", defaultValue = "0", description = "Default 0.") int shard,
            @Option(names = "--to", defaultValue = "", description = "Node id. Default: the best follower.")
                    String nodeId) {
        return options.ask(stub -> {
            AdminWire.TransferLeadershipResponse moved =
                    stub.transferLeadership(AdminWire.TransferLeadershipRequest.newBuilder()
                            .setShard(shard)
                            .setToNodeId(nodeId)
                            .build());
            String leader = moved.getLeaderId().isEmpty() ? nodeId : moved.getLeaderId();
            return new Shown(
                    "Shard " + shard + " is led by " + (leader.isEmpty() ? "another node" : leader) + ".",
                    Json.write(Map.of("shard", shard, "leader", leader)));
        });
    }

    @Command(
            name = "raise-level",
            description = "After every node was upgraded: lets the cluster write what only the new version reads."
                    + " There is no way back to an older version.")
    int raiseLevel(
            @Mixin AdminOptions options,
            @Option(names = "--level", defaultValue = "0", description = "Default: the highest that all nodes read.")
                    int level) {
        return options.ask(stub -> {
            int raised = stub.raiseFeatureLevel(AdminWire.RaiseFeatureLevelRequest.newBuilder()
                            .setLevel(level)
                            .build())
                    .getLevel();
            return new Shown("The cluster is at feature level " + raised + ".", Json.write(Map.of("level", raised)));
        });
    }

    @Command(name = "snapshot", description = "Takes a snapshot of the shards on the node that is asked.")
    int snapshot(
            @Mixin AdminOptions options,
            @Option(names = "--shard", defaultValue = "-1", description = "Default: all.") int shard) {
        AdminWire.TakeSnapshotRequest.Builder request = AdminWire.TakeSnapshotRequest.newBuilder();
        if (shard >= 0) {
            request.setShard(shard);
        }
        return options.ask(stub -> {
            Table table = new Table("SHARD", "SNAPSHOT INDEX");
            List<Map<String, Object>> json = new ArrayList<>();
            stub.takeSnapshot(request.build()).getSnapshotsList().forEach(taken -> {
                table.row(taken.getShard(), taken.getIndex());
                json.add(Map.of("shard", taken.getShard(), "index", taken.getIndex()));
            });
            return new Shown(table.toString(), Json.write(json));
        });
    }

    private static Shown show(AdminWire.ClusterStatusResponse status) {
        Table table = new Table(
                "NODE", "ADDRESS", "SHARD", "ROLE", "LEADER", "TERM", "APPLIED", "COMMITTED", "SNAPSHOT", "STORE");
        List<Map<String, Object>> nodes = new ArrayList<>();
        for (AdminWire.NodeState node : status.getNodesList()) {
            if (!node.getReachable()) {
                table.row(node.getNodeId(), node.getRpcAddress(), "-", "unreachable", "-", "-", "-", "-", "-", "-");
            }
            List<Map<String, Object>> shards = new ArrayList<>();
            node.getShardsList().forEach(shard -> {
                table.row(
                        node.getNodeId(),
                        node.getRpcAddress(),
                        shard.getShard(),
                        shard.getRole(),
                        shard.getLeaderId().isEmpty() ? "-" : shard.getLeaderId(),
                        shard.getTerm(),
                        shard.getAppliedIndex(),
                        shard.getCommitIndex(),
                        shard.getSnapshotIndex(),
                        shortened(shard.getStoreDigest()));
                shards.add(json(shard));
            });
            nodes.add(json(node, shards));
        }
        String text = "Cluster " + status.getClusterName() + ", " + status.getShards() + " shard(s)"
                + System.lineSeparator() + table + troubles(status);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("clusterName", status.getClusterName());
        json.put("shards", status.getShards());
        json.put("nodes", nodes);
        return new Shown(text, Json.write(json));
    }

    /** One line each; a gateway says it to every node. */
    private static String troubles(AdminWire.ClusterStatusResponse status) {
        Set<String> all = new TreeSet<>();
        status.getNodesList().forEach(node -> all.addAll(node.getGatewayTroublesList()));
        StringBuilder lines = new StringBuilder();
        all.forEach(trouble ->
                lines.append(System.lineSeparator()).append("Gateway ").append(trouble));
        return lines.toString();
    }

    private static String shortened(String digest) {
        return digest.isEmpty() ? "-" : digest.substring(0, Math.min(DIGEST_LETTERS, digest.length()));
    }

    private static Map<String, Object> json(AdminWire.NodeState node, List<Map<String, Object>> shards) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("nodeId", node.getNodeId());
        json.put("address", node.getRpcAddress());
        json.put("reachable", node.getReachable());
        json.put("trouble", node.getTrouble());
        json.put("gateways", node.getGateways());
        json.put("gatewayTroubles", List.copyOf(node.getGatewayTroublesList()));
        json.put("supportedFeatureLevel", node.getSupportedFeatureLevel());
        json.put("shards", shards);
        return json;
    }

    private static Map<String, Object> json(AdminWire.ShardState shard) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("shard", shard.getShard());
        json.put("role", shard.getRole());
        json.put("leader", shard.getLeaderId());
        json.put("term", shard.getTerm());
        json.put("appliedIndex", shard.getAppliedIndex());
        json.put("commitIndex", shard.getCommitIndex());
        json.put("snapshotIndex", shard.getSnapshotIndex());
        if (!shard.getStoreDigest().isEmpty()) {
            json.put("storeDigest", shard.getStoreDigest());
        }
        json.put("featureLevel", shard.getFeatureLevel());
        json.put("leaderChanges", shard.getLeaderChanges());
        return json;
    }
}
