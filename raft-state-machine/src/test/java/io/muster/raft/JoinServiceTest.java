package io.muster.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.storage.AppliedIndex;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.Server;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies that members take of a shard over the Raft port. */
@Timeout(60)
final class JoinServiceTest {
    private static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(1, 1));
    private static final TermIndex INDEX = TermIndex.valueOf(3, 7);
    private static final byte[] TABLE = new byte[3 << 20];

    @TempDir
    Path dir;

    private Server server;
    /** Runs before a call of this method is answered, once; throws to have it fail. */
    private volatile String disturbed = "";

    private volatile Runnable disturbance = () -> {};

    @BeforeEach
    void serve() throws IOException {
        JoinService service = new JoinService(
                new JoinService.Shards() {
                    @Override
                    public Standing standing(UUID group) {
                        return Standing.NOTHING;
                    }

                    @Override
                    public Optional<AppliedIndex> copy(UUID group, long atLeast, Path target) throws IOException {
                        Files.createDirectories(target);
                        Files.write(target.resolve("1.sst"), TABLE);
                        return Optional.of(new AppliedIndex(INDEX.getTerm(), INDEX.getIndex()));
                    }

                    @Override
                    public Agreement compare(UUID group, TermIndex applied, long currentTerm) {
                        return Agreement.UNKNOWN;
                    }

                    @Override
                    public void asked(String id) {}
                },
                dir.resolve("copies"));
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(service.definition())
                .intercept(new ServerInterceptor() {
                    @Override
                    public <A, B> ServerCall.Listener<A> interceptCall(
                            ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
                        if (call.getMethodDescriptor().getBareMethodName().equals(disturbed)) {
                            disturbed = "";
                            disturbance.run();
                        }
                        return next.startCall(call, headers);
                    }
                })
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        server.shutdownNow();
    }

    @Test
    void copy_isRead_andGone() throws IOException {
        assertThat(copyTo("a")).contains(INDEX);

        assertThat(copied("a")).hasBinaryContent(TABLE);
        assertThat(FileTrees.list(dir.resolve("copies"))).isEmpty();
    }

    @Test
    void copyWhoseEndIsNotHeardOf_isACopyAllTheSame_andGoesWithTheNext() throws IOException {
        disturb("End", () -> {
            throw Status.UNAVAILABLE.asRuntimeException();
        });

        assertThat(copyTo("a")).contains(INDEX);
        assertThat(copied("a")).hasBinaryContent(TABLE);
        assertThat(FileTrees.list(dir.resolve("copies"))).hasSize(1);
        assertThat(copyTo("a")).contains(INDEX);

        assertThat(FileTrees.list(dir.resolve("copies"))).isEmpty();
    }

    @Test
    void copyThatIsBeingRead_staysWhileOthersAreTaken() throws IOException {
        disturb("Read", () -> {
            for (String other : new String[] {"b", "c", "d", "e", "f"}) {
                disturb("End", () -> {
                    throw Status.UNAVAILABLE.asRuntimeException();
                });
                assertThat(copied(other)).doesNotExist();
                try {
                    assertThat(copyTo(other)).contains(INDEX);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        });

        assertThat(copyTo("a")).contains(INDEX);
        assertThat(copied("a")).hasBinaryContent(TABLE);
    }

    private void disturb(String method, Runnable next) {
        disturbance = next;
        disturbed = method;
    }

    private Optional<TermIndex> copyTo(String id) throws IOException {
        try (JoinPeer peer = new JoinPeer(id, "127.0.0.1:" + server.getPort())) {
            return peer.copy(0, new ShardPlace(dir.resolve(id), GROUP));
        }
    }

    private Path copied(String id) {
        return dir.resolve(id)
                .resolve("joining")
                .resolve(GROUP.getUuid().toString())
                .resolve("sm/snapshot.3_7/1.sst");
    }
}
