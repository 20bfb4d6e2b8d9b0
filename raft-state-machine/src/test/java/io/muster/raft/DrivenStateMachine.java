package io.muster.raft;

import io.muster.runtime.LeadershipListener;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.storage.AppliedIndex;
import io.muster.storage.ShardStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorageDirectory;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;

/**
 * Drives a shard's state machine as Ratis 3.3.0 does: in the order of the calls of its {@code ServerState}, {@code
 * StateMachineUpdater} and {@code SnapshotInstallationHandler}, and with their assertions. One thread.
 */
public final class DrivenStateMachine {
    /** What the division knows of itself. */
    public interface Standing {
        boolean isLeaderReady();

        long currentTerm();
    }

    private static final RaftGroupId GROUP = RaftGroupId.valueOf(new java.util.UUID(1, 1));

    private final Path root;
    private final RaftPeerId self;
    private final ShardStateMachine machine;
    private final Standing standing;
    /** The updater's own counter: replay begins at the snapshot, wherever the store stands. */
    private long applied = -1;

    private long snapshot = -1;

    /**
     * @param root the node's directory: Ratis's part and the live store
     * @param fatal told when the node must not go on
     */
    public DrivenStateMachine(
            Path root,
            int id,
            Function<Path, ShardStore> stores,
            Standing standing,
            BiConsumer<String, Throwable> fatal) {
        this.root = root;
        this.self = RaftPeerId.valueOf("n" + id);
        this.standing = standing;
        this.machine = new ShardStateMachine(
                root.resolve("store"),
                stores::apply,
                new EntryAdmission(0, ClientId.randomId(), Set.of()),
                fatal::accept);
    }

    /** Opens the store and finds the latest snapshot. */
    public void start() throws IOException {
        Files.createDirectories(stateMachineDirectory());
        machine.initialize(server(), GROUP, storage());
        snapshot = snapshotIndex();
        applied = snapshot;
    }

    private long snapshotIndex() {
        return Optional.ofNullable(machine.getLatestSnapshot())
                .map(SnapshotInfo::getIndex)
                .orElse(-1L);
    }

    public void listen(LeadershipListener listener) {
        machine.listen(listener);
    }

    /** The live store; an error while a snapshot is being installed. */
    public ShardStore store() {
        return machine.store();
    }

    /** The last index that was handed to the state machine, be it new to the store or not. */
    public long applied() {
        return applied;
    }

    /** Index of the latest snapshot, -1 without one. */
    public long latestSnapshot() {
        return snapshot;
    }

    /** Term of the latest snapshot, 0 without one. */
    public long latestSnapshotTerm() {
        return Optional.ofNullable(machine.getLatestSnapshot())
                .map(SnapshotInfo::getTerm)
                .orElse(0L);
    }

    // ---- apply

    /** Applies the next entry; returns its verdicts, none if the store had it already. */
    public List<Verdict> apply(long term, long index, byte[] data) {
        LogEntryProto entry = LogEntryProto.newBuilder()
                .setTerm(term)
                .setIndex(index)
                .setStateMachineLogEntry(
                        StateMachineLogEntryProto.newBuilder().setLogData(UnsafeByteOperations.unsafeWrap(data)))
                .build();
        requireNext(index);
        TransactionContext transaction = answering(TransactionContext.class, Map.of("getLogEntry", () -> entry));
        Message reply = machine.applyTransaction(transaction).join();
        applied = index;
        return VerdictCodec.decode(reply.getContent());
    }

    /**
     * Passes over a configuration entry.
     *
     * @param beginsLeadership whether it is the one that this node wrote when it became leader
     */
    public void applyConfiguration(long term, long index, boolean beginsLeadership) {
        requireNext(index);
        machine.notifyConfigurationChanged(term, index, RaftConfigurationProto.getDefaultInstance());
        if (beginsLeadership) {
            machine.notifyLeaderReady();
        }
        machine.notifyTermIndexUpdated(term, index);
        applied = index;
    }

    private void requireNext(long index) {
        if (index != applied + 1) {
            throw new IllegalStateException("entry " + index + " is applied after " + applied);
        }
    }

    // ---- leadership

    public void notLeader() {
        machine.notifyNotLeader(List.of());
    }

    public void leaderChanged(int leaderId) {
        machine.notifyLeaderChanged(RaftGroupMemberId.valueOf(self, GROUP), RaftPeerId.valueOf("n" + leaderId));
    }

    // ---- snapshots

    /** Takes a snapshot if the store went this far beyond the last one; returns whether it did. */
    public boolean snapshotIfDue(long threshold) {
        if (machine.getLastAppliedTermIndex().getIndex() - snapshot < threshold) {
            return false;
        }
        try {
            long taken = machine.takeSnapshot();
            if (taken > applied) {
                throw new IllegalStateException(
                        "Bug in StateMachine: snapshot index = " + taken + " > appliedIndex = " + applied);
            }
            machine.getStateMachineStorage().cleanupOldSnapshots(new SnapshotRetentionPolicy() {});
            snapshot = Math.max(snapshot, taken);
            return taken >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** The files of the latest snapshot, as a leader sends them. */
    public Path latestSnapshotDirectory() {
        SnapshotInfo latest = machine.getLatestSnapshot();
        if (latest == null) {
            throw new IllegalStateException("no snapshot");
        }
        return latest.getFiles().get(0).getPath().getParent();
    }

    /** First step of an installation: the store is closed. */
    public void pause() {
        machine.pause();
    }

    /** Second step: the snapshot directory is replaced as a whole. */
    public void publish(Path received) throws IOException {
        Path directory = stateMachineDirectory();
        Path old = root.resolve("sm.old");
        Files.move(directory, old);
        Files.move(received, directory);
        FileTrees.delete(old);
    }

    /** Third step: the state machine starts anew from the snapshot. */
    public void reload() throws IOException {
        if (machine.getLifeCycleState() != LifeCycle.State.PAUSED) {
            throw new IllegalStateException("not paused but " + machine.getLifeCycleState());
        }
        machine.reinitialize();
        snapshot = snapshotIndex();
        applied = snapshot;
    }

    /** Copies the store for a node that holds nothing; empty if less than this index is applied. */
    public Optional<AppliedIndex> copy(long atLeast, Path target) throws IOException {
        FileTrees.delete(target);
        return machine.copy(atLeast, target);
    }

    /** Copies a leader's snapshot to where a follower collects it; returns the directory for {@link #publish}. */
    public Path receive(Path leaders) throws IOException {
        Path temporary = root.resolve("sm.tmp");
        FileTrees.delete(temporary);
        Path target =
                Files.createDirectories(temporary.resolve(leaders.getFileName().toString()));
        try (Stream<Path> files = Files.list(leaders)) {
            for (Path file : files.toList()) {
                Files.copy(file, target.resolve(file.getFileName().toString()));
            }
        }
        return temporary;
    }

    /** Whether there is nothing that would hold up an orderly end. */
    public void stop() {
        machine.expectClose();
        machine.close();
    }

    /** Deletes all that a node has on its disk. */
    public static void wipe(Path root) {
        try {
            FileTrees.delete(root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path stateMachineDirectory() {
        return stateMachineDirectory(root);
    }

    /** @param root the node's directory */
    static Path stateMachineDirectory(Path root) {
        return root.resolve("raft").resolve("sm");
    }

    // ---- what the state machine asks of Ratis

    private RaftStorage storage() {
        RaftStorageDirectory directory = new RaftStorageDirectory() {
            @Override
            public java.io.File getRoot() {
                return root.resolve("raft").toFile();
            }

            @Override
            public boolean isHealthy() {
                return true;
            }
        };
        return answering(RaftStorage.class, Map.of("getStorageDir", () -> directory));
    }

    private RaftServer server() {
        DivisionInfo info = answering(
                DivisionInfo.class,
                Map.of("isLeaderReady", standing::isLeaderReady, "getCurrentTerm", standing::currentTerm));
        RaftServer.Division division =
                answering(RaftServer.Division.class, Map.of("getInfo", () -> info, "getId", () -> self));
        return answering(RaftServer.class, Map.of("getDivision", () -> division, "getId", () -> self));
    }

    /** An instance that knows these methods and no others. */
    private static <T> T answering(Class<T> type, Map<String, Supplier<Object>> answers) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Supplier<Object> answer = answers.get(method.getName());
                    if (answer != null) {
                        return answer.get();
                    }
                    if (method.getName().equals("toString")) {
                        return type.getSimpleName();
                    }
                    throw new UnsupportedOperationException("the simulation has no " + method);
                }));
    }
}
