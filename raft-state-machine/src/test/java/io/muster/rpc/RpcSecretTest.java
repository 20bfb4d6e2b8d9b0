package io.muster.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ClientInterceptor;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.MetadataUtils;
import io.muster.codec.ValueCodec;
import io.muster.rpc.AdminPeers.Peer;
import io.muster.rpc.PeerGreetings.Answer;
import io.muster.rpc.proto.AdminServiceGrpc;
import io.muster.rpc.proto.AdminWire;
import io.muster.rpc.proto.PeerServiceGrpc;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.ClusterSecret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node's rpc port, and who is told what on it. */
final class RpcSecretTest {
    private static final ClusterSecret SECRET = new ClusterSecret("known to this cluster only");
    private static final ClusterSecret OTHER = new ClusterSecret("known to another cluster");
    private static final ClusterIdentity CLUSTER = new ClusterIdentity("test", "", 1, List.of("a", "b"));
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private @Nullable RpcServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void withoutTheSecret_nothingIsTold_butHealth() throws IOException {
        start(SECRET, "");

        assertThat(refusal(new SecretProved(null))).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(refusal(new SecretProved(OTHER))).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(refusal(token("0".repeat(64)))).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(refusal(token(SECRET.token(ClusterSecret.Port.RAFT)))).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(greet(new SecretProved(SECRET)).getNodeId()).isEqualTo("a");
        ManagedChannel channel = channel(new SecretProved(null));
        assertThat(HealthGrpc.newBlockingStub(channel)
                        .check(HealthCheckRequest.getDefaultInstance())
                        .isInitialized())
                .isTrue();
        channel.shutdownNow();
    }

    @Test
    void refusal_saysNothingOfTheCluster() throws IOException {
        start(SECRET, "");

        assertThatThrownBy(() -> greet(new SecretProved(null)))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        failure ->
                                assertThat(failure.getStatus().getDescription()).isNull());
    }

    @Test
    void nodeThatDoesNotProveTheSecret_isNotBelieved() throws IOException {
        start(null, "");

        assertThatThrownBy(() -> greet(new SecretProved(SECRET)))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("does not prove");
    }

    @Test
    void greeting_tellsOfTheFoundingAndOfAnEmptyDirectory() throws IOException {
        start(SECRET, "incarnation-1");

        assertThat(greetedBy(CLUSTER, "a"))
                .isEqualTo(new Answer.Met("a", CLUSTER.of("incarnation-1"), true))
                .isInstanceOfSatisfying(
                        Answer.Met.class, met -> assertThat(met.founded()).isTrue());
    }

    @Test
    void greeting_ofAnotherCluster_isRefused() throws IOException {
        start(SECRET, "incarnation-1");

        assertStranger(greetedBy(CLUSTER.of("incarnation-2"), "a"), "incarnation-1 and not incarnation-2");
        assertStranger(
                greetedBy(new ClusterIdentity("test", "", 3, List.of("a", "b")), "a"), "cluster.shards is 1 and not 3");
        assertStranger(
                greetedBy(new ClusterIdentity("test", "", 1, List.of("b")), "a"), "the ids under nodes is [a, b]");
        assertStranger(greetedBy(new ClusterIdentity("other", "", 1, List.of("a", "b")), "a"), "cluster.name is test");
        assertStranger(greetedBy(CLUSTER, "b"), "node.id is a and not b");
    }

    @Test
    void callOfWhatIsNotServedYet_isToldToTryAgain() throws IOException {
        start(SECRET, "");

        assertThat(status(new SecretProved(SECRET))).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(status(new SecretProved(null))).isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    /** How the node answers a request of its admin service, which it does not have here. */
    private Status.Code status(ClientInterceptor caller) {
        ManagedChannel channel = channel(caller);
        try {
            AdminWire.NodeState answer = AdminServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .nodeStatus(AdminWire.NodeStatusRequest.getDefaultInstance());
            return answer == null ? Status.Code.UNKNOWN : Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void greeting_whereNobodyListens_isSilence() throws IOException {
        start(SECRET, "");
        int port = port();
        stop();

        assertThat(greetings(CLUSTER, "a", port)).isInstanceOf(Answer.Silent.class);
    }

    private static void assertStranger(Answer answer, String reason) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Stranger.class,
                        stranger -> assertThat(stranger.reason()).contains(reason));
    }

    private void start(@Nullable ClusterSecret secret, String incarnation) throws IOException {
        NodeIdentity self = new NodeIdentity("a", CLUSTER, () -> incarnation, true);
        server = new RpcServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), secret, List.of(new PeerService(self)));
    }

    private int port() {
        if (server == null) {
            throw new IllegalStateException("not started");
        }
        return server.port();
    }

    private Answer greetedBy(ClusterIdentity theirs, String meant) {
        return greetings(theirs, meant, port());
    }

    private static Answer greetings(ClusterIdentity theirs, String meant, int port) {
        NodeIdentity caller = new NodeIdentity("b", theirs.of(""), theirs::incarnation, false);
        return new PeerGreetings(caller, List.of(new Peer(meant, "localhost", port)), SECRET)
                .greetAll(PATIENCE)
                .get(0);
    }

    private Status.Code refusal(ClientInterceptor caller) {
        try {
            return greet(caller) == null ? Status.Code.UNKNOWN : Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    private Wire.Greeting greet(ClientInterceptor caller) {
        ManagedChannel channel = channel(caller);
        try {
            return PeerServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .greet(Wire.Greeting.newBuilder()
                            .setNodeId("b")
                            .setCluster(ValueCodec.encode(CLUSTER))
                            .build());
        } finally {
            channel.shutdownNow();
        }
    }

    private ManagedChannel channel(ClientInterceptor caller) {
        return Grpc.newChannelBuilderForAddress("localhost", port(), InsecureChannelCredentials.create())
                .intercept(caller)
                .build();
    }

    private static ClientInterceptor token(String token) {
        Metadata headers = new Metadata();
        headers.put(RpcHeaders.TOKEN, token);
        return MetadataUtils.newAttachHeadersInterceptor(headers);
    }
}
