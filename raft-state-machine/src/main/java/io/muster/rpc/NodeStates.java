package io.muster.rpc;

import io.grpc.Status;
import io.muster.core.FeatureLevel;
import io.muster.rpc.AdminPeers.Peer;
import io.muster.rpc.LocalNode.ShardState;
import io.muster.rpc.proto.AdminServiceGrpc;
import io.muster.rpc.proto.AdminWire;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** How the nodes are: this one by itself, the others by asking them. */
final class NodeStates implements AutoCloseable {
    private static final long STATUS_TIMEOUT_MILLIS = 3_000;
    private static final long DIGEST_TIMEOUT_MILLIS = 600_000;

    private final NodeIdentity self;
    private final LocalNode node;
    private final AdminPeers peers;
    private final ConnectedGateways gateways;
    private final Executor threads;

    /** Reads whole stores, one after the other, and holds up no other question. */
    private final ExecutorService digesting = Executors.newSingleThreadExecutor(DaemonThreads.named("admin-digest"));

    NodeStates(NodeIdentity self, LocalNode node, AdminPeers peers, ConnectedGateways gateways, Executor threads) {
        this.self = self;
        this.node = node;
        this.peers = peers;
        this.gateways = gateways;
        this.threads = threads;
    }

    /** Of all nodes, in the order of their ids; one that does not answer is marked so. */
    CompletableFuture<List<AdminWire.NodeState>> ofAll(boolean digests) {
        List<CompletableFuture<AdminWire.NodeState>> states =
                peers.all().stream().map(peer -> ofPeer(peer, digests)).toList();
        return CompletableFuture.allOf(states.toArray(CompletableFuture<?>[]::new))
                .thenApply(
                        unused -> states.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<AdminWire.NodeState> ofPeer(Peer peer, boolean digests) {
        return peers.ask(
                        peer.nodeId(),
                        AdminServiceGrpc.getNodeStatusMethod(),
                        AdminWire.NodeStatusRequest.newBuilder()
                                .setDigests(digests)
                                .build(),
                        digests ? DIGEST_TIMEOUT_MILLIS : STATUS_TIMEOUT_MILLIS)
                .exceptionally(failure -> AdminWire.NodeState.newBuilder()
                        .setNodeId(peer.nodeId())
                        .setTrouble(Status.fromThrowable(failure).getCode() + ": "
                                + Status.fromThrowable(failure).getDescription())
                        .build())
                .thenApply(state -> state.toBuilder()
                        .setRpcAddress(peer.address())
                        .setReachable(state.getTrouble().isEmpty())
                        .build());
    }

    /** Of this node. */
    CompletableFuture<AdminWire.NodeState> ofThis(boolean digests) {
        return digests
                ? CompletableFuture.supplyAsync(this::stateWithDigests, digesting)
                : CompletableFuture.supplyAsync(this::state, threads);
    }

    private AdminWire.NodeState stateWithDigests() {
        AdminWire.NodeState.Builder state = state().toBuilder();
        for (AdminWire.ShardState.Builder shard : state.getShardsBuilderList()) {
            shard.setStoreDigest(node.storeDigest(shard.getShard()));
        }
        return state.build();
    }

    private AdminWire.NodeState state() {
        return AdminWire.NodeState.newBuilder()
                .setNodeId(self.nodeId())
                .setReachable(true)
                .setGateways(gateways.count())
                .addAllGatewayTroubles(gateways.troubles())
                .setSupportedFeatureLevel(FeatureLevel.SUPPORTED)
                .addAllShards(
                        node.shardStates().stream().map(NodeStates::encode).toList())
                .build();
    }

    private static AdminWire.ShardState encode(ShardState state) {
        return AdminWire.ShardState.newBuilder()
                .setShard(state.shard())
                .setRole(state.role())
                .setLeaderId(state.leaderId())
                .setTerm(state.term())
                .setAppliedIndex(state.appliedIndex())
                .setCommitIndex(state.commitIndex())
                .setSnapshotIndex(state.snapshotIndex())
                .setLeaderChanges(state.leaderChanges())
                .setFeatureLevel(state.featureLevel())
                .build();
    }

    @Override
    public void close() {
        digesting.shutdownNow();
    }
}
