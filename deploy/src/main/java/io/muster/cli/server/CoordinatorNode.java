package io.muster.cli.server;

import io.muster.cli.config.MusterConfig;
import io.muster.raft.FatalHandler;
import io.muster.raft.RaftConfig;
import io.muster.raft.RaftMember;
import io.muster.raft.RatisNode;
import io.muster.rpc.AdminPeers;
import io.muster.rpc.AdminService;
import io.muster.rpc.CoordinatorService;
import io.muster.rpc.NodeIdentity;
import io.muster.rpc.RpcServer;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The coordinator of a process: Raft, shards and services. */
final class CoordinatorNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorNode.class);

    private final boolean alone;
    private final RatisNode raft;
    private final NodeShards shards;
    private final AdminService admin;
    private final RpcServer server;

    private CoordinatorNode(boolean alone, RatisNode raft, NodeShards shards, AdminService admin, RpcServer server) {
        this.alone = alone;
        this.raft = raft;
        this.shards = shards;
        this.admin = admin;
        this.server = server;
    }

    /** @throws StartException if a port or the data directory cannot be had */
    static CoordinatorNode start(MusterConfig config, FatalHandler fatalHandler) throws StartException {
        MusterConfig.Node self = config.self();
        Ports.requireFree("nodes[" + self.id() + "].raft", self.raft());
        Ports.requireFree("nodes[" + self.id() + "].rpc", self.rpc());
        RatisNode raft;
        try {
            raft = RatisNode.start(raftConfig(config), fatalHandler);
        } catch (IOException | RuntimeException e) {
            throw new StartException(
                    "the Raft log in " + config.dataDirectory() + " cannot be opened: " + rootOf(e), e);
        }
        NodeShards shards = new NodeShards(config, raft, fatalHandler);
        NodeIdentity identity = new NodeIdentity(config.clusterName(), config.nodeId());
        AdminPeers peers = new AdminPeers(config.nodes().stream()
                .map(node -> new AdminPeers.Peer(
                        node.id(), node.rpc().host(), node.rpc().port()))
                .toList());
        AdminService admin = new AdminService(
                identity, shards, shards, peers, () -> shards.gateways().count());
        try {
            RpcServer server = new RpcServer(
                    self.rpc().port(), List.of(new CoordinatorService(shards.gateways(), shards, identity), admin));
            CoordinatorNode node = new CoordinatorNode(config.nodes().size() == 1, raft, shards, admin, server);
            shards.listen();
            server.setServing(true);
            return node;
        } catch (IOException e) {
            admin.close();
            shards.close();
            close(raft);
            throw new StartException(self.rpc() + " cannot be listened on: " + rootOf(e), e);
        }
    }

    private static RaftConfig raftConfig(MusterConfig config) {
        return new RaftConfig(
                config.clusterName(),
                config.nodeId(),
                config.nodes().stream()
                        .map(node -> new RaftMember(node.id(), node.raft().toString()))
                        .toList(),
                config.shards(),
                config.dataDirectory(),
                config.raft().electionTimeoutMinMillis(),
                config.raft().electionTimeoutMaxMillis(),
                config.raft().snapshotThreshold());
    }

    /** Hands the leadership of its shards to other nodes, so that they do not have to find out that this one is gone. */
    void handOver() {
        server.setServing(false);
        if (alone) {
            return;
        }
        for (int shard : shards.led()) {
            try {
                raft.transferLeadership(shard, "");
            } catch (IOException | RuntimeException e) {
                LOG.atWarn().addKeyValue("shard", shard).setCause(e).log("stopping without handing over a shard");
            }
        }
    }

    @Override
    public void close() {
        server.close();
        admin.close();
        shards.close();
        close(raft);
    }

    private static void close(RatisNode raft) {
        try {
            raft.close();
        } catch (IOException e) {
            LOG.warn("the Raft server did not close cleanly", e);
        }
    }

    private static String rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }
}
