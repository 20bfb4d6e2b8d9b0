package io.muster.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.muster.core.Command;
import io.muster.core.Response;
import io.muster.rpc.AdminPeers.Peer;
import io.muster.rpc.proto.AdminServiceGrpc;
import io.muster.rpc.proto.AdminWire;
import io.muster.runtime.ClusterIdentity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operators ask any of two nodes, and the one that leads answers. */
final class LeaderCallsTest {
    private static final String DELETED = "payments";

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<String> submitted = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        timer.shutdownNow();
    }

    @Test
    void request_atFollower_isAnsweredByLeader() throws IOException {
        int leader = start("node2", "node2", List.of());
        int follower = start("node1", "node2", List.of(new Peer("node2", "127.0.0.1", leader)));

        delete(follower);

        assertThat(submitted).containsExactly("node2 " + DELETED);
    }

    @Test
    void request_ofTwoNodesThatTakeEachOtherForTheLeader_goesNoFurtherThanOneOfThem() throws IOException {
        int wrong = start("node2", "node1", List.of(new Peer("node1", "127.0.0.1", 1)));
        int asked = start("node1", "node2", List.of(new Peer("node2", "127.0.0.1", wrong)));

        assertThatThrownBy(() -> delete(asked))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        failure -> assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE))
                .hasMessageContaining("shard 0 has no leader at the moment");
        assertThat(submitted).isEmpty();
    }

    @Test
    void list_withoutLeader_namesTheShard() throws IOException {
        int port = start("node1", "", List.of());

        assertThat(stub(port)
                        .listGroups(AdminWire.ListGroupsRequest.getDefaultInstance())
                        .getMissingShardsList())
                .containsExactly(0);
    }

    private int start(String nodeId, String leaderId, List<Peer> peers) throws IOException {
        NodeIdentity identity = new NodeIdentity(
                nodeId, new ClusterIdentity("muster", "", 1, List.of("node1", "node2")), () -> "", false);
        LocalShards shards = new Follower(nodeId, leaderId);
        AdminService service = new AdminService(
                identity, shards, new NoNode(), new AdminPeers(peers, null), new ConnectedGateways(shards, timer));
        RpcServer server = new RpcServer(0, List.of(service));
        opened.add(server);
        opened.add(service);
        return server.port();
    }

    private void delete(int port) {
        var unused = stub(port)
                .deleteGroup(
                        AdminWire.GroupRequest.newBuilder().setGroupId(DELETED).build());
    }

    private AdminServiceGrpc.AdminServiceBlockingStub stub(int port) {
        ManagedChannel channel = Grpc.newChannelBuilderForAddress(
                        "127.0.0.1", port, InsecureChannelCredentials.create())
                .intercept(new SecretProved(null))
                .build();
        opened.add(channel::shutdownNow);
        return AdminServiceGrpc.newBlockingStub(channel);
    }

    /** A node with one shard, which another node leads unless the leader is itself. */
    private final class Follower extends OneShard {
        private final String nodeId;
        private final String leaderId;

        Follower(String nodeId, String leaderId) {
            this.nodeId = nodeId;
            this.leaderId = leaderId;
        }

        @Override
        public ShardLeadership leadership(int shard) {
            return new ShardLeadership(shard, 1, leaderId, leaderId.equals(nodeId));
        }

        @Override
        public CompletableFuture<Response> submit(Command command) {
            submitted.add(nodeId + " " + command.groupId());
            return CompletableFuture.completedFuture(new Response.Done());
        }
    }

    private static final class NoNode implements LocalNode {
        @Override
        public List<ShardState> shardStates() {
            return List.of();
        }

        @Override
        public String storeDigest(int shard) {
            throw new UnsupportedOperationException();
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
