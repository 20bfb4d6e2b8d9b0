package io.muster.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.muster.codec.LogEntryCodec;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.Limits;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.ClusterSecret;
import io.muster.runtime.LeadershipListener;
import io.muster.runtime.LogEntry;
import io.muster.runtime.ProposalOutcome;
import io.muster.runtime.ProposalOutcome.Judged;
import io.muster.runtime.ProposalOutcome.TooLarge;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.runtime.RecordBatch;
import io.muster.runtime.ShardChange;
import io.muster.runtime.Token;
import io.muster.storage.RocksShardStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.MetadataUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One node, and what strangers try on its Raft port. The node knows itself as 127.0.0.1; strangers call it localhost. */
final class RaftPortTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final RaftGroupId SHARD =
            RaftGroupId.valueOf(UUID.nameUUIDFromBytes("muster/test/0".getBytes(UTF_8)));
    private static final ClusterSecret SECRET = new ClusterSecret("known to this cluster only");

    @TempDir
    Path dir;

    private final ConcurrentLinkedQueue<String> fatal = new ConcurrentLinkedQueue<>();
    private final AtomicLong term = new AtomicLong();
    private final int port;
    private long sequence;
    private @Nullable RatisNode started;

    RaftPortTest() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
    }

    @BeforeEach
    void start() throws IOException {
        start(null, RocksShardStore::open, Set.of());
    }

    @AfterEach
    void stop() throws IOException {
        node().close();
        assertThat(fatal).isEmpty();
    }

    @Test
    void junkOfAPlainClient_isNotAppended_andTheNodeGoesOn() throws IOException {
        awaitLeader();

        // When
        try (RaftClient client = stranger()) {
            assertNotAppended(client, Message.valueOf("no entry of ours"));
        }

        // Then
        assertThat(write(1)).isEqualTo(applied());
        restart(null);
        assertThat(write(2)).isEqualTo(applied());
    }

    @Test
    void readableEntryOfAPlainClient_isNotAppended() throws IOException {
        awaitLeader();
        byte[] forged = LogEntryCodec.encode(new LogEntry(
                term.get(),
                1_000,
                List.of(new RecordBatch("g", Token.NONE, List.of(new ConsumerGroupRecord.GroupSet(1, 1, 0))))));
        try (RaftClient client = stranger()) {
            assertNotAppended(client, Message.valueOf(ByteString.copyFrom(forged)));
        }
        assertThat(node().appliedGroups(0).load("g").records()).isEmpty();
    }

    @Test
    void adminRequestsOfAPlainClient_areRefused() throws IOException {
        awaitLeader();
        try (RaftClient client = stranger()) {
            assertThatThrownBy(() -> client.getSnapshotManagementApi(RaftPeerId.valueOf("n1"))
                            .create(5_000))
                    .isInstanceOf(IOException.class)
                    .hasStackTraceContaining("PERMISSION_DENIED");
            assertThatThrownBy(() -> client.admin().setConfiguration(List.of()))
                    .isInstanceOf(IOException.class)
                    .hasStackTraceContaining("PERMISSION_DENIED");
        }
        assertThat(write(1)).isEqualTo(applied());
    }

    @Test
    void withoutTheSecret_nothingIsAnswered() throws IOException {
        // Given
        restart(SECRET);
        assertThat(write(1)).isEqualTo(applied());

        // Then
        try (RaftClient client = stranger()) {
            assertThatThrownBy(() -> client.io().send(Message.valueOf("anything")))
                    .isInstanceOf(IOException.class)
                    .hasStackTraceContaining("UNAUTHENTICATED");
        }
        assertThat(vote(new Metadata())).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(vote(headers("0".repeat(64), "n1", ""))).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(vote(headers(SECRET.token(ClusterSecret.Port.RPC), "n1", "")))
                .isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(write(2)).isEqualTo(applied());
    }

    @Test
    void withTheSecret_callersThatMeanAnotherNodeOrCluster_areRefused() throws IOException {
        // Given
        restart(SECRET);
        awaitLeader();
        ShardChange founding =
                new ShardChange(0, "mark", new ClusterIdentity("test", "incarnation-1", 1, List.of("n1")));
        assertThat(node().log(0)
                        .propose(new LogEntry(term.get(), ++sequence, List.of(), founding))
                        .join())
                .isInstanceOf(Judged.class);
        assertThat(node().incarnation()).isEqualTo("incarnation-1");
        String token = SECRET.token(ClusterSecret.Port.RAFT);

        // Then
        assertThat(vote(headers(token, "n2", "incarnation-1"))).isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(vote(headers(token, "n1", "incarnation-2"))).isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(vote(headers(token, "n1", "incarnation-1"))).isNotEqualTo(Status.Code.FAILED_PRECONDITION);
    }

    @Test
    void entryThatTheLogCannotHold_isNotProposed_andTheLeaderStays() {
        awaitLeader();
        long before = term.get();

        // When
        String large = "x".repeat(Limits.DEFAULT.entryBytes());
        ProposalOutcome outcome = node().log(0)
                .propose(new LogEntry(before, ++sequence, List.of(new RecordBatch(large, Token.NONE, List.of()))))
                .join();

        // Then
        assertThat(outcome).isInstanceOf(TooLarge.class);
        assertThat(write(1)).isEqualTo(applied());
        assertThat(term.get()).isEqualTo(before);
    }

    @Test
    void entryOfTheLargestSize_isApplied() {
        awaitLeader();
        String large = "x".repeat(Limits.DEFAULT.entryBytes() - 100);

        ProposalOutcome outcome = node().log(0)
                .propose(new LogEntry(term.get(), ++sequence, List.of(new RecordBatch(large, Token.NONE, List.of()))))
                .join();

        assertThat(outcome).isEqualTo(applied());
    }

    @Test
    void entryThatCannotBeApplied_stopsTheNode_untilAnOperatorSkipsIt() throws IOException {
        // Given a store that fails on one entry, whoever applies it
        restart(null, StoreThatRefuses.group("bad"), Set.of());
        assertThat(write("good")).isEqualTo(applied());
        long badTerm = term.get();

        // When
        var unused = node().log(0).propose(new LogEntry(badTerm, ++sequence, List.of(batch("bad"))));

        // Then the node says what to start it with
        await().atMost(PATIENCE).until(() -> !fatal.isEmpty());
        Matcher named = Pattern.compile("--skip-entry (0:" + badTerm + ":\\d+)").matcher(fatal.element());
        assertThat(named.find()).as(fatal.element()).isTrue();

        // And again at the next start
        fatal.clear();
        restart(null, StoreThatRefuses.group("bad"), Set.of());
        await().atMost(PATIENCE).until(() -> !fatal.isEmpty());
        fatal.clear();

        // And with that it goes on without the entry
        restart(null, StoreThatRefuses.group("bad"), Set.of(SkippedEntry.parse(named.group(1))));
        assertThat(write("next")).isEqualTo(applied());
        assertThat(node().appliedGroups(0).load("good").records()).isNotEmpty();
        assertThat(node().appliedGroups(0).load("bad").records()).isEmpty();
        assertThat(fatal).isEmpty();
    }

    private static Judged applied() {
        return new Judged(List.of(Verdict.APPLIED));
    }

    private ProposalOutcome write(int number) {
        return write("g" + number);
    }

    private ProposalOutcome write(String groupId) {
        awaitLeader();
        return node().log(0)
                .propose(new LogEntry(term.get(), ++sequence, List.of(batch(groupId))))
                .join();
    }

    private static RecordBatch batch(String groupId) {
        return new RecordBatch(groupId, Token.NONE, List.of(new ConsumerGroupRecord.GroupSet(1, 1, 0)));
    }

    private void awaitLeader() {
        await().atMost(PATIENCE).until(() -> term.get() > 0);
    }

    private static void assertNotAppended(RaftClient client, Message message) {
        assertThatThrownBy(() -> client.io().send(message))
                .isInstanceOf(StateMachineException.class)
                .hasMessageContaining("only the leader itself appends");
    }

    /** How the node answers a vote request that comes with these headers. */
    private Status.Code vote(Metadata headers) throws IOException {
        ManagedChannel channel =
                NettyChannelBuilder.forAddress("localhost", port).usePlaintext().build();
        try {
            var answer = RaftServerProtocolServiceGrpc.newBlockingStub(channel)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                    .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .requestVote(RequestVoteRequestProto.getDefaultInstance());
            return answer == null ? Status.Code.UNKNOWN : Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        } finally {
            channel.shutdownNow();
        }
    }

    private static Metadata headers(String token, String nodeId, String incarnation) {
        Metadata headers = new Metadata();
        headers.put(RaftCallHeaders.TOKEN, token);
        headers.put(RaftCallHeaders.NODE, nodeId);
        headers.put(RaftCallHeaders.INCARNATION, incarnation);
        return headers;
    }

    private RaftClient stranger() {
        RaftPeer peer = RaftPeer.newBuilder()
                .setId("n1")
                .setAddress("localhost:" + port)
                .build();
        return RaftClient.newBuilder()
                .setProperties(new RaftProperties())
                .setRaftGroup(RaftGroup.valueOf(SHARD, List.of(peer)))
                .setRetryPolicy(RetryPolicies.noRetry())
                .build();
    }

    private void restart(@Nullable ClusterSecret secret) throws IOException {
        restart(secret, RocksShardStore::open, Set.of());
    }

    private void restart(@Nullable ClusterSecret secret, StoreFactory stores, Set<SkippedEntry> skipped)
            throws IOException {
        node().close();
        term.set(0);
        sequence = 0;
        start(secret, stores, skipped);
    }

    private void start(@Nullable ClusterSecret secret, StoreFactory stores, Set<SkippedEntry> skipped)
            throws IOException {
        RaftConfig config = new RaftConfig(
                new RaftConfig.Cluster("test", 1, secret, List.of(new RaftMember("n1", "127.0.0.1:" + port))),
                new RaftConfig.Self("n1", dir, ""),
                new RaftConfig.Pace(300, 600, 1_000),
                skipped);
        started = RatisNode.start(config, stores, (reason, cause) -> fatal.add(reason + ": " + cause));
        started.listen(0, new LeadershipListener() {
            @Override
            public void leaderReady(long newTerm) {
                term.set(newTerm);
            }

            @Override
            public void leaderLost() {
                term.set(0);
            }
        });
    }

    private RatisNode node() {
        if (started == null) {
            throw new IllegalStateException("the node is not started");
        }
        return started;
    }
}
