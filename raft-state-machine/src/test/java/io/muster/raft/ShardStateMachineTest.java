package io.muster.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.muster.codec.LogEntryCodec;
import io.muster.codec.StoredRecords;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.GroupRecord;
import io.muster.runtime.LogEntry;
import io.muster.runtime.RecordBatch;
import io.muster.runtime.Token;
import io.muster.storage.AppliedIndex;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.server.storage.StorageImplUtils;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.SizeInBytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state machine on its disk, called as Ratis calls it. */
final class ShardStateMachineTest {
    private static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(0, 7));

    @TempDir
    Path dir;

    private final ConcurrentLinkedQueue<String> fatal = new ConcurrentLinkedQueue<>();
    private @Nullable ShardStateMachine running;
    private boolean killed;
    private Token token = Token.NONE;

    @AfterEach
    void stop() {
        if (running != null) {
            running.expectClose();
            running.close();
            running = null;
        }
        assertThat(fatal).isEmpty();
    }

    @Test
    void start_ofAStoreThatIsAheadOfItsSnapshot_replaysNothingAndReportsNoLowerIndex() throws IOException {
        // Given
        ShardStateMachine first = start();
        configuration(first, 1, 0);
        apply(first, 1, 1);
        first.demandSnapshot(true);
        first.takeSnapshot();
        apply(first, 3, 2);
        apply(first, 3, 3);
        kill();

        // When
        ShardStateMachine second = start();

        // Then
        assertThat(snapshot(second).getIndex()).isEqualTo(3);
        configuration(second, 1, 0);
        apply(second, 1, 1);
        assertThat(second.getLastAppliedTermIndex().getIndex()).isEqualTo(3);
        assertThat(second.store().appliedIndex()).isEqualTo(new AppliedIndex(3, 3));
    }

    @Test
    void snapshotThatFails_isSaidToRatisInItsWords_andCostsNothingElse() throws IOException {
        // Given
        ShardStateMachine machine = start();
        apply(machine, 1, 0);
        killed = true;
        machine.demandSnapshot(true);

        // When
        assertThatThrownBy(machine::takeSnapshot)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("killed before the snapshot");
        killed = false;
        apply(machine, 1, 1);

        // Then
        await().until(() -> machine.takeSnapshot() >= 0);
        assertThat(snapshot(machine).getIndex()).isEqualTo(1);
    }

    @Test
    void snapshot_onceItIsFlushed_holdsWhatWasAppliedMeanwhile() throws IOException {
        ShardStateMachine machine = start();
        apply(machine, 1, 0);
        machine.takeSnapshot();
        apply(machine, 1, 1);

        await().until(() -> machine.takeSnapshot() >= 0);

        assertThat(snapshot(machine).getIndex()).isEqualTo(1);
    }

    @Test
    void snapshotThatIsBeingSent_isDeletedOnlyWhenNobodyHoldsIt() throws IOException {
        // Given
        ShardStateMachine machine = start();
        machine.demandSnapshot(true);
        apply(machine, 1, 0);
        machine.takeSnapshot();
        SnapshotInfo sent = snapshot(machine);
        for (int index = 1; index < 6; index++) {
            apply(machine, 1, index);
            machine.takeSnapshot();
        }

        // When
        machine.getStateMachineStorage().cleanupOldSnapshots(new SnapshotRetentionPolicy() {});

        // Then
        assertThat(sent.getFiles())
                .isNotEmpty()
                .allSatisfy(file -> assertThat(file.getPath()).exists());
        Path directory = sent.getFiles().get(0).getPath().getParent();
        sent = null;
        await().untilAsserted(() -> {
            System.gc();
            machine.getStateMachineStorage().cleanupOldSnapshots(new SnapshotRetentionPolicy() {});
            assertThat(directory).doesNotExist();
        });
    }

    @Test
    void installationThatIsNotPublished_losesNoEntry() throws IOException {
        // Given
        ShardStateMachine machine = start();
        apply(machine, 1, 0);

        // When the leader's snapshot is complete, and cannot be moved to its place
        machine.pause();
        apply(machine, 1, 1);

        // Then
        assertThat(machine.store().appliedIndex().index()).isEqualTo(1);
        assertThat(StoredRecords.load(machine.store(), "g").records()).containsExactly(epoch(1));
    }

    @Test
    void publishedSnapshot_replacesTheStore() throws IOException {
        // Given a snapshot of index 4 from elsewhere
        ShardStateMachine other = start();
        other.demandSnapshot(true);
        for (int index = 0; index < 5; index++) {
            apply(other, 1, index);
        }
        other.takeSnapshot();
        stop();
        Path received = Files.move(raft().resolve("sm"), dir.resolve("received"));
        FileTrees.delete(dir.resolve("store"));
        token = Token.NONE;
        ShardStateMachine machine = start();
        apply(machine, 1, 0);

        // When
        machine.pause();
        FileTrees.delete(raft().resolve("sm"));
        Files.move(received, raft().resolve("sm"));
        machine.reinitialize();

        // Then
        assertThat(machine.store().appliedIndex().index()).isEqualTo(4);
        assertThat(machine.getLastAppliedTermIndex().getIndex()).isEqualTo(4);
        assertThat(StoredRecords.load(machine.store(), "g").records()).containsExactly(epoch(4));
    }

    @Test
    void publishedSnapshot_thatCannotBeOpened_isFatalAtOnce() throws IOException {
        // Given
        ShardStateMachine machine = start();
        apply(machine, 1, 0);
        machine.demandSnapshot(true);
        machine.takeSnapshot();

        // When
        machine.pause();
        for (var file : snapshot(machine).getFiles()) {
            Files.writeString(file.getPath(), "no table");
        }

        // Then
        assertThatThrownBy(machine::reinitialize).isInstanceOf(Exception.class);
        assertThat(fatal).singleElement().asString().contains("cannot be installed");
        fatal.clear();
    }

    @Test
    void start_deletesWhatACrashLeft() throws IOException {
        // Given
        List<Path> left = List.of(
                raft().resolve("tmp").resolve("snapshot-1"),
                raft().resolve("unfinished-snapshot"),
                raft().resolve("sm.tmp20261130"));
        for (Path each : left) {
            Files.createDirectories(each);
            Files.writeString(each.resolve("file"), "half");
        }

        // When
        start();

        // Then
        assertThat(left).allSatisfy(each -> assertThat(each).doesNotExist());
    }

    private Path raft() {
        return dir.resolve("raft");
    }

    private ShardStateMachine start() throws IOException {
        RaftStorage storage = StorageImplUtils.newRaftStorage(
                raft().toFile(),
                SizeInBytes.valueOf("0"),
                StartupOption.RECOVER,
                RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
        ShardStateMachine machine = new ShardStateMachine(
                dir.resolve("store"),
                StoreThatIsKilled.factory(() -> killed),
                new EntryAdmission(0, ClientId.randomId(), Set.of()),
                (reason, cause) -> fatal.add(reason + ": " + cause));
        machine.initialize(server(), GROUP, storage);
        running = machine;
        return machine;
    }

    private void kill() {
        killed = true;
        stop();
        killed = false;
    }

    private static RaftServer server() {
        RaftPeerId self = RaftPeerId.valueOf("n1");
        return (RaftServer) Proxy.newProxyInstance(
                RaftServer.class.getClassLoader(), new Class<?>[] {RaftServer.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getId")) {
                        return self;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    private static SnapshotInfo snapshot(ShardStateMachine machine) {
        SnapshotInfo latest = machine.getLatestSnapshot();
        if (latest == null) {
            throw new AssertionError("no snapshot");
        }
        return latest;
    }

    private static void configuration(ShardStateMachine machine, long term, long index) {
        machine.notifyTermIndexUpdated(term, index);
    }

    /** Applies an entry that sets the group's epoch to its index, unless the store has it. */
    private void apply(ShardStateMachine machine, long term, int index) {
        LogEntry entry = new LogEntry(term, index + 1L, List.of(new RecordBatch("g", token, List.of(epoch(index)))));
        boolean isNew = index > machine.store().appliedIndex().index();
        LogEntryProto proto = LogEntryProto.newBuilder()
                .setTerm(term)
                .setIndex(index)
                .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder()
                        .setLogData(UnsafeByteOperations.unsafeWrap(LogEntryCodec.encode(entry))))
                .build();
        machine.applyTransaction(TransactionContext.newBuilder()
                        .setStateMachine(machine)
                        .setServerRole(RaftPeerRole.FOLLOWER)
                        .setLogEntry(proto)
                        .build())
                .join();
        if (isNew) {
            token = entry.token();
        }
    }

    private static GroupRecord epoch(int groupEpoch) {
        return new ConsumerGroupRecord.GroupSet(groupEpoch, groupEpoch, 0);
    }
}
