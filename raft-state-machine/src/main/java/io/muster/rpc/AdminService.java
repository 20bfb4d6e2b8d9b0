package io.muster.rpc;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.muster.core.FeatureLevel;
import io.muster.core.GroupCommand;
import io.muster.core.GroupCommand.MemberKey;
import io.muster.core.GroupInspection;
import io.muster.core.Response;
import io.muster.rpc.AdminPeers.Call;
import io.muster.rpc.AdminPeers.Peer;
import io.muster.rpc.LocalNode.ShardState;
import io.muster.rpc.proto.AdminServiceGrpc;
import io.muster.rpc.proto.AdminServiceGrpc.AdminServiceStub;
import io.muster.rpc.proto.AdminWire;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.ShardRouter;
import io.muster.wire.DescriptionCodec;
import io.muster.wire.ListingCodec;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers operators for the whole cluster: what belongs to another node is asked there. */
public final class AdminService extends AdminServiceGrpc.AdminServiceImplBase implements AutoCloseable {
    private static final long STATUS_TIMEOUT_MILLIS = 3_000;
    private static final long DIGEST_TIMEOUT_MILLIS = 600_000;
    private static final long FORWARD_TIMEOUT_MILLIS = 15_000;

    private final NodeIdentity self;
    private final LocalShards shards;
    private final LocalNode node;
    private final AdminPeers peers;
    private final ConnectedGateways gateways;
    private final ExecutorService threads = Executors.newFixedThreadPool(2, DaemonThreads.named("admin"));

    /** Stores are read one after the other, and hold up no other question. */
    private final ExecutorService digesting = Executors.newSingleThreadExecutor(DaemonThreads.named("admin-digest"));

    /** @param gateways those that are connected to this node */
    public AdminService(
            NodeIdentity self, LocalShards shards, LocalNode node, AdminPeers peers, ConnectedGateways gateways) {
        this.self = self;
        this.shards = shards;
        this.node = node;
        this.peers = peers;
        this.gateways = gateways;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        digesting.shutdownNow();
        peers.close();
    }

    // ---- cluster

    @Override
    public void clusterStatus(
            AdminWire.ClusterStatusRequest request, StreamObserver<AdminWire.ClusterStatusResponse> out) {
        CompletableFuture<AdminWire.ClusterStatusResponse> all = statesOfAll(request.getDigests())
                .thenApply(states -> AdminWire.ClusterStatusResponse.newBuilder()
                        .setClusterName(self.clusterName())
                        .setShards(shards.count())
                        .addAllNodes(states)
                        .build());
        answer(all, out);
    }

    private CompletableFuture<List<AdminWire.NodeState>> statesOfAll(boolean digests) {
        List<CompletableFuture<AdminWire.NodeState>> states =
                peers.all().stream().map(peer -> stateOf(peer, digests)).toList();
        return CompletableFuture.allOf(states.toArray(CompletableFuture<?>[]::new))
                .thenApply(
                        unused -> states.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<AdminWire.NodeState> stateOf(Peer peer, boolean digests) {
        return peers.<AdminWire.NodeStatusRequest, AdminWire.NodeState>ask(
                        peer.nodeId(),
                        AdminServiceStub::nodeStatus,
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

    @Override
    public void nodeStatus(AdminWire.NodeStatusRequest request, StreamObserver<AdminWire.NodeState> out) {
        answer(
                request.getDigests()
                        ? CompletableFuture.supplyAsync(this::localStateWithDigests, digesting)
                        : CompletableFuture.supplyAsync(this::localState, threads),
                out);
    }

    private AdminWire.NodeState localStateWithDigests() {
        AdminWire.NodeState.Builder state = localState().toBuilder();
        for (AdminWire.ShardState.Builder shard : state.getShardsBuilderList()) {
            shard.setStoreDigest(node.storeDigest(shard.getShard()));
        }
        return state.build();
    }

    private AdminWire.NodeState localState() {
        return AdminWire.NodeState.newBuilder()
                .setNodeId(self.nodeId())
                .setReachable(true)
                .setGateways(gateways.count())
                .addAllGatewayTroubles(gateways.troubles())
                .setSupportedFeatureLevel(FeatureLevel.SUPPORTED)
                .addAllShards(
                        node.shardStates().stream().map(AdminService::encode).toList())
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
    public void transferLeadership(
            AdminWire.TransferLeadershipRequest request, StreamObserver<AdminWire.TransferLeadershipResponse> out) {
        if (!request.getToNodeId().isEmpty() && !peers.knows(request.getToNodeId())) {
            answer(failed(Status.INVALID_ARGUMENT, "there is no node " + request.getToNodeId()), out);
            return;
        }
        answer(
                atLeader(
                        request.getShard(),
                        request.getForwarded(),
                        () -> CompletableFuture.supplyAsync(() -> transfer(request), threads),
                        AdminServiceStub::transferLeadership,
                        request.toBuilder().setForwarded(true).build()),
                out);
    }

    private AdminWire.TransferLeadershipResponse transfer(AdminWire.TransferLeadershipRequest request) {
        try {
            node.transferLeadership(request.getShard(), request.getToNodeId());
        } catch (IOException e) {
            throw Status.ABORTED.withDescription(e.getMessage()).withCause(e).asRuntimeException();
        }
        return AdminWire.TransferLeadershipResponse.newBuilder()
                .setLeaderId(shards.leadership(request.getShard()).leaderId())
                .build();
    }

    @Override
    public void takeSnapshot(
            AdminWire.TakeSnapshotRequest request, StreamObserver<AdminWire.TakeSnapshotResponse> out) {
        if (request.hasShard() && isNoShard(request.getShard())) {
            answer(noSuchShard(request.getShard()), out);
            return;
        }
        answer(CompletableFuture.supplyAsync(() -> snapshot(request), threads), out);
    }

    private AdminWire.TakeSnapshotResponse snapshot(AdminWire.TakeSnapshotRequest request) {
        AdminWire.TakeSnapshotResponse.Builder response = AdminWire.TakeSnapshotResponse.newBuilder();
        for (int shard = 0; shard < shards.count(); shard++) {
            if (request.hasShard() && request.getShard() != shard) {
                continue;
            }
            try {
                response.addSnapshots(AdminWire.TakeSnapshotResponse.Taken.newBuilder()
                        .setShard(shard)
                        .setIndex(node.takeSnapshot(shard)));
            } catch (IOException e) {
                throw Status.ABORTED
                        .withDescription(e.getMessage())
                        .withCause(e)
                        .asRuntimeException();
            }
        }
        return response.build();
    }

    // ---- feature level

    @Override
    public void raiseFeatureLevel(
            AdminWire.RaiseFeatureLevelRequest request, StreamObserver<AdminWire.RaiseFeatureLevelResponse> out) {
        answer(
                request.getForwarded()
                        ? raise(request)
                        : statesOfAll(false).thenCompose(states -> raise(request, states)),
                out);
    }

    /** Raises every shard, if all nodes are there to say that they read the level. */
    private CompletableFuture<AdminWire.RaiseFeatureLevelResponse> raise(
            AdminWire.RaiseFeatureLevelRequest request, List<AdminWire.NodeState> states) {
        Optional<String> obstacle = FeatureLevels.obstacle(states, request.getLevel());
        if (obstacle.isPresent()) {
            return failed(Status.FAILED_PRECONDITION, obstacle.get());
        }
        int level = request.getLevel() == 0 ? FeatureLevels.common(states) : request.getLevel();
        CompletableFuture<AdminWire.RaiseFeatureLevelResponse> all = CompletableFuture.completedFuture(
                AdminWire.RaiseFeatureLevelResponse.newBuilder().setLevel(level).build());
        for (int shard = 0; shard < shards.count(); shard++) {
            AdminWire.RaiseFeatureLevelRequest there = AdminWire.RaiseFeatureLevelRequest.newBuilder()
                    .setLevel(level)
                    .setShard(shard)
                    .setForwarded(true)
                    .build();
            all = all.thenCompose(unused ->
                    atLeader(there.getShard(), false, () -> raise(there), AdminServiceStub::raiseFeatureLevel, there));
        }
        return all;
    }

    private CompletableFuture<AdminWire.RaiseFeatureLevelResponse> raise(AdminWire.RaiseFeatureLevelRequest request) {
        if (isNoShard(request.getShard())) {
            return noSuchShard(request.getShard());
        }
        return shards.raiseFeatureLevel(request.getShard(), request.getLevel())
                .thenApply(AdminErrors::requireDone)
                .thenApply(done -> AdminWire.RaiseFeatureLevelResponse.newBuilder()
                        .setLevel(request.getLevel())
                        .build());
    }

    // ---- groups

    @Override
    public void listGroups(AdminWire.ListGroupsRequest request, StreamObserver<AdminWire.ListGroupsResponse> out) {
        AdminWire.ListGroupsResponse none = AdminWire.ListGroupsResponse.getDefaultInstance();
        CompletableFuture<AdminWire.ListGroupsResponse> all = CompletableFuture.completedFuture(none);
        for (int shard = 0; shard < shards.count(); shard++) {
            int wanted = shard;
            if (request.getLocal() && (!request.hasShard() || request.getShard() != wanted)) {
                continue;
            }
            AdminWire.ListGroupsRequest there = AdminWire.ListGroupsRequest.newBuilder()
                    .setLocal(true)
                    .setShard(wanted)
                    .build();
            all = all.thenCombine(
                    atLeader(wanted, request.getLocal(), () -> listHere(wanted), AdminServiceStub::listGroups, there)
                            .exceptionally(failure ->
                                    none.toBuilder().addMissingShards(wanted).build()),
                    (sum, some) -> sum.toBuilder().mergeFrom(some).build());
        }
        answer(all, out);
    }

    private CompletableFuture<AdminWire.ListGroupsResponse> listHere(int shard) {
        return shards.listGroups(shard)
                .thenApply(groups -> AdminWire.ListGroupsResponse.newBuilder()
                        .addAllGroups(ListingCodec.encode(groups).getGroupsList())
                        .build());
    }

    @Override
    public void inspectGroup(AdminWire.InspectGroupRequest request, StreamObserver<Wire.Inspection> out) {
        answer(
                atLeader(
                        shardOf(request.getGroupId()),
                        request.getForwarded(),
                        () -> submit(new GroupCommand.Inspect(request.getGroupId()))
                                .thenApply(response -> DescriptionCodec.encode((GroupInspection) response)),
                        AdminServiceStub::inspectGroup,
                        request.toBuilder().setForwarded(true).build()),
                out);
    }

    @Override
    public void groupHistory(AdminWire.GroupRequest request, StreamObserver<Wire.GroupHistory> out) {
        answer(
                atLeader(
                        shardOf(request.getGroupId()),
                        request.getForwarded(),
                        () -> submit(new GroupCommand.History(request.getGroupId()))
                                .thenApply(response -> DescriptionCodec.encode((Response.GroupHistory) response)),
                        AdminServiceStub::groupHistory,
                        request.toBuilder().setForwarded(true).build()),
                out);
    }

    @Override
    public void deleteGroup(AdminWire.GroupRequest request, StreamObserver<AdminWire.GroupResponse> out) {
        answer(
                atLeader(
                        shardOf(request.getGroupId()),
                        request.getForwarded(),
                        () -> change(new GroupCommand.Delete(request.getGroupId())),
                        AdminServiceStub::deleteGroup,
                        request.toBuilder().setForwarded(true).build()),
                out);
    }

    @Override
    public void releaseGroup(AdminWire.GroupRequest request, StreamObserver<AdminWire.GroupResponse> out) {
        answer(
                atLeader(
                        shardOf(request.getGroupId()),
                        request.getForwarded(),
                        () -> change(new GroupCommand.Release(request.getGroupId())),
                        AdminServiceStub::releaseGroup,
                        request.toBuilder().setForwarded(true).build()),
                out);
    }

    @Override
    public void resetTopology(AdminWire.GroupRequest request, StreamObserver<AdminWire.GroupResponse> out) {
        answer(
                atLeader(
                        shardOf(request.getGroupId()),
                        request.getForwarded(),
                        () -> change(new GroupCommand.ResetTopology(request.getGroupId())),
                        AdminServiceStub::resetTopology,
                        request.toBuilder().setForwarded(true).build()),
                out);
    }

    @Override
    public void removeMember(AdminWire.RemoveMemberRequest request, StreamObserver<AdminWire.GroupResponse> out) {
        MemberKey member = new MemberKey(request.getMemberId(), request.getInstanceId());
        answer(
                atLeader(
                        shardOf(request.getGroupId()),
                        request.getForwarded(),
                        () -> change(new GroupCommand.RemoveMembers(request.getGroupId(), List.of(member), true)),
                        AdminServiceStub::removeMember,
                        request.toBuilder().setForwarded(true).build()),
                out);
    }

    private CompletableFuture<AdminWire.GroupResponse> change(GroupCommand command) {
        return submit(command).thenApply(response -> AdminWire.GroupResponse.getDefaultInstance());
    }

    /** Decides here; a refusal becomes gRPC's status. */
    private CompletableFuture<Response> submit(GroupCommand command) {
        return shards.submit(command).thenApply(AdminErrors::requireDone);
    }

    // ---- where to

    private int shardOf(String groupId) {
        return new ShardRouter(shards.count()).shardOf(groupId);
    }

    private <Q, A> CompletableFuture<A> atLeader(
            int shard, boolean forwarded, Supplier<CompletableFuture<A>> here, Call<Q, A> there, Q request) {
        if (isNoShard(shard)) {
            return noSuchShard(shard);
        }
        ShardLeadership leadership = shards.leadership(shard);
        if (leadership.here()) {
            return here.get();
        }
        if (forwarded
                || leadership.leaderId().isEmpty()
                || leadership.leaderId().equals(self.nodeId())) {
            return failed(Status.UNAVAILABLE, "shard " + shard + " has no leader at the moment; try again");
        }
        return peers.ask(leadership.leaderId(), there, request, FORWARD_TIMEOUT_MILLIS);
    }

    private boolean isNoShard(int shard) {
        return shard < 0 || shard >= shards.count();
    }

    private <A> CompletableFuture<A> noSuchShard(int shard) {
        return failed(Status.INVALID_ARGUMENT, "there is no shard " + shard + "; the cluster has " + shards.count());
    }

    private static <A> CompletableFuture<A> failed(Status status, String message) {
        return CompletableFuture.failedFuture(status.withDescription(message).asRuntimeException());
    }

    private static <A> void answer(CompletableFuture<A> answer, StreamObserver<A> out) {
        var unused = answer.whenComplete((value, failure) -> {
            if (failure == null) {
                out.onNext(value);
                out.onCompleted();
            } else {
                out.onError(AdminErrors.statusOf(unwrap(failure)).asRuntimeException());
            }
        });
    }

    private static @Nullable Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }
}
