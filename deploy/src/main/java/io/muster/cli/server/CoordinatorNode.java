package io.muster.cli.server;

import io.muster.cli.config.MusterConfig;
import io.muster.node.NodeConfig;
import io.muster.node.NodeShards;
import io.muster.raft.FatalHandler;
import io.muster.raft.RaftConfig;
import io.muster.raft.RaftMember;
import io.muster.raft.RatisNode;
import io.muster.raft.SkippedEntry;
import io.muster.rpc.AdminPeers;
import io.muster.rpc.AdminService;
import io.muster.rpc.CoordinatorService;
import io.muster.rpc.LocalCoordinator;
import io.muster.rpc.NodeIdentity;
import io.muster.rpc.PeerService;
import io.muster.rpc.RpcServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The coordinator of a process: Raft, shards and services. */
final class CoordinatorNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorNode.class);

    private final boolean alone;
    private final ClusterMembership membership;
    private final RatisNode raft;
    private final NodeShards shards;
    private final AdminService admin;
    private final RpcServer server;
    private final LocalCoordinator local;

    private CoordinatorNode(
            boolean alone, ClusterMembership membership, Started started, NodeShards shards, AdminService admin) {
        this.alone = alone;
        this.membership = membership;
        this.raft = started.raft();
        this.shards = shards;
        this.admin = admin;
        this.server = started.server();
        this.local = new LocalCoordinator(shards.gateways(), shards, membership.identity());
    }

    /**
     * Starts it.
     *
     * @param skippedEntries entries of the Raft logs that are passed over
     * @throws StartException if a port or the data directory cannot be had, or the directory or the other nodes belong to another
     *     cluster
     */
    static CoordinatorNode start(MusterConfig config, Set<SkippedEntry> skippedEntries, FatalHandler fatalHandler)
            throws StartException {
        MusterConfig.ConfiguredNode self = config.self();
        Ports.requireFree("nodes[" + self.id() + "].raft", config.bound(self.raft()));
        Ports.requireFree("nodes[" + self.id() + "].rpc", config.bound(self.rpc()));
        ClusterMembership membership = ClusterMembership.check(config);
        RpcServer server = listen(config, membership);
        try {
            membership.meetPeers();
            RatisNode raft = startRaft(config, skippedEntries, fatalHandler);
            try {
                membership.found(raft);
                return serve(config, membership, new Started(raft, server), fatalHandler);
            } catch (StartException | RuntimeException e) {
                close(raft);
                throw e;
            }
        } catch (StartException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Answers other nodes who this one is; the rest is served once Raft runs. */
    private static RpcServer listen(MusterConfig config, ClusterMembership membership) throws StartException {
        InetSocketAddress address = config.bound(config.self().rpc());
        try {
            return new RpcServer(address, config.cluster().secret(), List.of(new PeerService(membership.identity())));
        } catch (IOException e) {
            throw new StartException(config.self().rpc() + " cannot be listened on: " + rootOf(e), e);
        }
    }

    private static RatisNode startRaft(MusterConfig config, Set<SkippedEntry> skippedEntries, FatalHandler fatalHandler)
            throws StartException {
        try {
            return RatisNode.start(raftConfig(config, skippedEntries), fatalHandler);
        } catch (IOException | RuntimeException e) {
            throw new StartException(
                    "the Raft log in " + config.node().dataDirectory() + " cannot be opened: " + rootOf(e), e);
        }
    }

    private record Started(RatisNode raft, RpcServer server) {}

    private static CoordinatorNode serve(
            MusterConfig config, ClusterMembership membership, Started started, FatalHandler fatalHandler) {
        NodeShards shards = new NodeShards(
                new NodeConfig(
                        config.node().id(),
                        config.cluster().identity(),
                        config.cluster().takeOverClaims(),
                        config.coordinator()),
                started.raft(),
                fatalHandler);
        NodeIdentity identity = membership.identity();
        AdminPeers peers = new AdminPeers(
                ClusterMembership.peersOf(config), config.cluster().secret());
        AdminService admin = new AdminService(identity, shards, shards, peers, shards.gateways());
        RpcServer server = started.server();
        server.add(new CoordinatorService(shards.gateways(), shards, identity, server.loop()));
        server.add(admin);
        CoordinatorNode node =
                new CoordinatorNode(config.cluster().nodes().size() == 1, membership, started, shards, admin);
        shards.listen();
        server.setServing(true);
        return node;
    }

    private static RaftConfig raftConfig(MusterConfig config, Set<SkippedEntry> skippedEntries) {
        List<RaftMember> members = config.cluster().nodes().stream()
                .map(node -> new RaftMember(node.id(), node.raft().toString()))
                .toList();
        return new RaftConfig(
                new RaftConfig.Cluster(
                        config.cluster().name(),
                        config.cluster().shards(),
                        config.cluster().secret(),
                        members),
                new RaftConfig.Self(
                        config.node().id(),
                        config.node().dataDirectory(),
                        config.node().listenHost()),
                config.raft(),
                skippedEntries);
    }

    /** For the gateway of this process. */
    LocalCoordinator local() {
        return local;
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
        membership.close();
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
