package io.muster.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A follower says that it has an entry only if it has it, whatever the leader sends twice: else one node's entry would count as two's. */
final class FollowerAcknowledgementTest {
    private static final String FOLLOWER = "n1";
    private static final String LEADER = "n2";
    private static final long TERM = 1;

    @TempDir
    Path dir;

    @Test
    void longerBatch_whileOneWithTheSameBeginningIsWritten_isAcknowledgedOnlyWithItsEnd() throws IOException {
        // Given
        RaftGroup group = RaftGroup.valueOf(
                RaftGroupId.valueOf(new UUID(0, 1)),
                List.of(peer(FOLLOWER, freePort()), peer(LEADER, freePort()), peer("n3", freePort())));
        RaftConfig config = new RaftConfig(
                new RaftConfig.Cluster("test", 1, null, List.of()),
                new RaftConfig.Self(FOLLOWER, dir, ""),
                new RaftConfig.Pace(10_000, 20_000, 1_000),
                Set.of());
        try (RaftServer follower = RaftServer.newBuilder()
                .setServerId(RaftPeerId.valueOf(FOLLOWER))
                .setGroup(group)
                .setProperties(RaftSettings.of(config, "127.0.0.1", freePort()))
                .setStateMachineRegistry(id -> new BaseStateMachine())
                .build()) {
            follower.start();

            // When
            CompletableFuture<AppendEntriesReplyProto> one = follower.appendEntriesAsync(append(group, 1));
            CompletableFuture<AppendEntriesReplyProto> more = follower.appendEntriesAsync(append(group, 3));

            // Then
            assertThat(one.join().getResult()).isEqualTo(AppendResult.SUCCESS);
            assertThat(more.join().getMatchIndex()).isEqualTo(2);
            assertThat(follower.getDivision(group.getGroupId()).getRaftLog().getNextIndex())
                    .isEqualTo(3);
        }
    }

    /** The first entries of the log. */
    private static AppendEntriesRequestProto append(RaftGroup group, int count) {
        return AppendEntriesRequestProto.newBuilder()
                .setServerRequest(RaftRpcRequestProto.newBuilder()
                        .setRequestorId(ByteString.copyFromUtf8(LEADER))
                        .setReplyId(ByteString.copyFromUtf8(FOLLOWER))
                        .setRaftGroupId(RaftGroupIdProto.newBuilder()
                                .setId(group.getGroupId().toByteString()))
                        .setCallId(count))
                .setLeaderTerm(TERM)
                .setLeaderCommit(-1)
                .addAllEntries(LongStream.range(0, count)
                        .mapToObj(FollowerAcknowledgementTest::entry)
                        .toList())
                .build();
    }

    private static LogEntryProto entry(long index) {
        return LogEntryProto.newBuilder()
                .setTerm(TERM)
                .setIndex(index)
                .setStateMachineLogEntry(
                        StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFromUtf8("entry " + index)))
                .build();
    }

    private static RaftPeer peer(String id, int port) {
        return RaftPeer.newBuilder().setId(id).setAddress("127.0.0.1:" + port).build();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
