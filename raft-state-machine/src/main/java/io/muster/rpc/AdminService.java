package io.muster.rpc;

import com.google.protobuf.Message;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.muster.core.Command;
import io.muster.core.GroupCommand;
import io.muster.core.GroupCommand.MemberKey;
import io.muster.core.GroupInspection;
import io.muster.core.Response;
import io.muster.core.StreamsCommand;
import io.muster.rpc.proto.AdminServiceGrpc;
import io.muster.rpc.proto.AdminWire;
import io.muster.runtime.ShardRouter;
import io.muster.wire.DescriptionCodec;
import io.muster.wire.ListingCodec;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Answers operators for the whole cluster: what belongs to another node is asked there. */
public final class AdminService implements BindableService, AutoCloseable {
    private final NodeIdentity self;
    private final LocalShards shards;
    private final LocalNode node;
    private final AdminPeers peers;
    private final ExecutorService threads = Executors.newFixedThreadPool(2, DaemonThreads.named("admin"));
    private final NodeStates states;
    private final LeaderCalls leaders;
    private final ShardRouter router;

    /** @param gateways those that are connected to this node */
    public AdminService(
            NodeIdentity self, LocalShards shards, LocalNode node, AdminPeers peers, ConnectedGateways gateways) {
        this.self = self;
        this.shards = shards;
        this.node = node;
        this.peers = peers;
        this.states = new NodeStates(self, node, peers, gateways, threads);
        this.leaders = new LeaderCalls(self, shards, peers);
        this.router = new ShardRouter(shards.count());
    }

    @Override
    public ServerServiceDefinition bindService() {
        UnaryMethods methods = new UnaryMethods(AdminServiceGrpc.getServiceDescriptor());
        addClusterMethods(methods);
        addGroupMethods(methods);
        return methods.build();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        states.close();
        peers.close();
    }

    // ---- cluster

    private void addClusterMethods(UnaryMethods methods) {
        methods.add(AdminServiceGrpc.getClusterStatusMethod(), this::clusterStatus)
                .add(AdminServiceGrpc.getNodeStatusMethod(), request -> states.ofThis(request.getDigests()))
                .add(AdminServiceGrpc.getTransferLeadershipMethod(), this::transferLeadership)
                .add(AdminServiceGrpc.getTakeSnapshotMethod(), this::takeSnapshot)
                .add(AdminServiceGrpc.getRaiseFeatureLevelMethod(), this::raiseFeatureLevel)
                .add(AdminServiceGrpc.getListGroupsMethod(), this::listGroups);
    }

    private CompletableFuture<AdminWire.ClusterStatusResponse> clusterStatus(AdminWire.ClusterStatusRequest request) {
        return states.ofAll(request.getDigests())
                .thenApply(all -> AdminWire.ClusterStatusResponse.newBuilder()
                        .setClusterName(self.clusterName())
                        .setShards(shards.count())
                        .addAllNodes(all)
                        .build());
    }

    private CompletableFuture<AdminWire.TransferLeadershipResponse> transferLeadership(
            AdminWire.TransferLeadershipRequest request) {
        if (!request.getToNodeId().isEmpty() && !peers.knows(request.getToNodeId())) {
            return LeaderCalls.failed(Status.INVALID_ARGUMENT, "there is no node " + request.getToNodeId());
        }
        return leaders.ask(
                AdminServiceGrpc.getTransferLeadershipMethod(),
                request.getShard(),
                request,
                led -> CompletableFuture.supplyAsync(() -> transfer(led), threads));
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

    private CompletableFuture<AdminWire.TakeSnapshotResponse> takeSnapshot(AdminWire.TakeSnapshotRequest request) {
        if (request.hasShard() && (request.getShard() < 0 || request.getShard() >= shards.count())) {
            return leaders.noSuchShard(request.getShard());
        }
        return CompletableFuture.supplyAsync(() -> snapshot(request), threads);
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

    private CompletableFuture<AdminWire.RaiseFeatureLevelResponse> raiseFeatureLevel(
            AdminWire.RaiseFeatureLevelRequest request) {
        return request.getForwarded()
                ? raise(request)
                : states.ofAll(false).thenCompose(all -> raiseEveryShard(request, all));
    }

    /** Raises every shard, if all nodes are there to say that they read the level. */
    private CompletableFuture<AdminWire.RaiseFeatureLevelResponse> raiseEveryShard(
            AdminWire.RaiseFeatureLevelRequest request, List<AdminWire.NodeState> nodes) {
        Optional<String> obstacle = FeatureLevels.obstacle(nodes, request.getLevel());
        if (obstacle.isPresent()) {
            return LeaderCalls.failed(Status.FAILED_PRECONDITION, obstacle.get());
        }
        int level = request.getLevel() == 0 ? FeatureLevels.common(nodes) : request.getLevel();
        CompletableFuture<AdminWire.RaiseFeatureLevelResponse> all = CompletableFuture.completedFuture(
                AdminWire.RaiseFeatureLevelResponse.newBuilder().setLevel(level).build());
        for (int shard = 0; shard < shards.count(); shard++) {
            AdminWire.RaiseFeatureLevelRequest each = AdminWire.RaiseFeatureLevelRequest.newBuilder()
                    .setLevel(level)
                    .setShard(shard)
                    .build();
            all = all.thenCompose(unused -> raise(each));
        }
        return all;
    }

    private CompletableFuture<AdminWire.RaiseFeatureLevelResponse> raise(AdminWire.RaiseFeatureLevelRequest request) {
        return leaders.ask(
                AdminServiceGrpc.getRaiseFeatureLevelMethod(),
                request.getShard(),
                request,
                led -> shards.raiseFeatureLevel(led.getShard(), led.getLevel())
                        .thenApply(AdminErrors::requireDone)
                        .thenApply(done -> AdminWire.RaiseFeatureLevelResponse.newBuilder()
                                .setLevel(led.getLevel())
                                .build()));
    }

    private CompletableFuture<AdminWire.ListGroupsResponse> listGroups(AdminWire.ListGroupsRequest request) {
        if (request.getForwarded()) {
            return listShard(request);
        }
        AdminWire.ListGroupsResponse none = AdminWire.ListGroupsResponse.getDefaultInstance();
        CompletableFuture<AdminWire.ListGroupsResponse> all = CompletableFuture.completedFuture(none);
        for (int shard = 0; shard < shards.count(); shard++) {
            int wanted = shard;
            CompletableFuture<AdminWire.ListGroupsResponse> some = listShard(AdminWire.ListGroupsRequest.newBuilder()
                            .setShard(wanted)
                            .build())
                    .exceptionally(
                            failure -> none.toBuilder().addMissingShards(wanted).build());
            all = all.thenCombine(
                    some, (sum, more) -> sum.toBuilder().mergeFrom(more).build());
        }
        return all;
    }

    private CompletableFuture<AdminWire.ListGroupsResponse> listShard(AdminWire.ListGroupsRequest request) {
        return leaders.ask(
                AdminServiceGrpc.getListGroupsMethod(),
                request.getShard(),
                request,
                led -> shards.listGroups(led.getShard())
                        .thenApply(groups -> AdminWire.ListGroupsResponse.newBuilder()
                                .addAllGroups(ListingCodec.encode(groups).getGroupsList())
                                .build()));
    }

    // ---- groups

    private void addGroupMethods(UnaryMethods methods) {
        addGroupMethod(
                methods,
                AdminServiceGrpc.getInspectGroupMethod(),
                AdminWire.GroupRequest::getGroupId,
                request -> submit(new GroupCommand.Inspect(request.getGroupId()))
                        .thenApply(response -> DescriptionCodec.encode((GroupInspection) response)));
        addGroupMethod(
                methods,
                AdminServiceGrpc.getGroupHistoryMethod(),
                AdminWire.GroupRequest::getGroupId,
                request -> submit(new GroupCommand.History(request.getGroupId()))
                        .thenApply(response -> DescriptionCodec.encode((Response.GroupHistory) response)));
        addGroupMethod(
                methods,
                AdminServiceGrpc.getDeleteGroupMethod(),
                AdminWire.GroupRequest::getGroupId,
                request -> change(new GroupCommand.Delete(request.getGroupId())));
        addGroupMethod(
                methods,
                AdminServiceGrpc.getReleaseGroupMethod(),
                AdminWire.GroupRequest::getGroupId,
                request -> change(new GroupCommand.Release(request.getGroupId())));
        addGroupMethod(
                methods,
                AdminServiceGrpc.getResetTopologyMethod(),
                AdminWire.GroupRequest::getGroupId,
                request -> change(new StreamsCommand.ResetTopology(request.getGroupId())));
        addGroupMethod(
                methods,
                AdminServiceGrpc.getRemoveMemberMethod(),
                AdminWire.RemoveMemberRequest::getGroupId,
                request -> change(new GroupCommand.RemoveMembers(
                        request.getGroupId(),
                        List.of(new MemberKey(request.getMemberId(), request.getInstanceId())),
                        true)));
    }

    private <Q extends Message, A> void addGroupMethod(
            UnaryMethods methods,
            MethodDescriptor<Q, A> method,
            Function<Q, String> groupId,
            Function<Q, CompletableFuture<A>> here) {
        methods.add(method, leaders.atLeader(method, request -> router.shardOf(groupId.apply(request)), here));
    }

    private CompletableFuture<AdminWire.GroupResponse> change(Command command) {
        return submit(command).thenApply(response -> AdminWire.GroupResponse.getDefaultInstance());
    }

    /** Decides here; a refusal becomes gRPC's status. */
    private CompletableFuture<Response> submit(Command command) {
        return shards.submit(command).thenApply(AdminErrors::requireDone);
    }
}
