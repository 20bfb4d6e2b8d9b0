package io.muster.raft;

import io.muster.codec.LogEntryCodec;
import io.muster.runtime.LeadershipListener;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.storage.AppliedIndex;
import io.muster.storage.ShardStore;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies a shard's log to its store, synchronously, and takes and installs snapshots. The live store lies outside of Ratis's
 * snapshot directory, which a snapshot from the leader replaces as a whole.
 */
final class ShardStateMachine extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(ShardStateMachine.class);
    private static final int MINIMUM_KEPT = 3;

    private final Path liveDirectory;
    private final StoreFactory stores;
    private final FatalHandler fatalHandler;
    /** Keeps an entry from being applied while the store is taken away by {@link #pause}. */
    private final ReentrantLock applying = new ReentrantLock();

    private volatile @Nullable LeadershipListener listener;
    private volatile @Nullable SnapshotDirectory snapshots;
    private volatile @Nullable SnapshotInfo latestSnapshot;
    private volatile @Nullable ShardStore store;
    private @Nullable EntryApplier applier;
    private volatile boolean closing;
    private volatile boolean failed;
    /** Counts the ends of leadership, so that one that races with a beginning is not lost. */
    private final AtomicLong ends = new AtomicLong();

    ShardStateMachine(Path liveDirectory, StoreFactory stores, FatalHandler fatalHandler) {
        this.liveDirectory = liveDirectory;
        this.stores = stores;
        this.fatalHandler = fatalHandler;
    }

    /** Tells of leadership from now on; if this node leads already, at once. */
    void listen(LeadershipListener next) {
        listener = next;
        if (getServer().isDone()) {
            tellIfLeading(next);
        }
    }

    /** The live store of the moment; an error before the start and while a snapshot is being installed. */
    ShardStore store() {
        ShardStore current = store;
        if (current == null) {
            throw new IllegalStateException("the shard's store is not open");
        }
        return current;
    }

    // ---- life

    @Override
    public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage storage) throws IOException {
        getLifeCycle().startAndTransition(() -> {
            super.initialize(server, groupId, storage);
            SnapshotDirectory directory = new SnapshotDirectory(
                    storage.getStorageDir().getStateMachineDir().toPath());
            snapshots = directory;
            open(directory);
        });
    }

    private void open(SnapshotDirectory directory) throws IOException {
        Optional<TermIndex> latest = directory.latest();
        latestSnapshot = latest.isPresent() ? directory.describe(latest.get()) : null;
        ShardStore opened = stores.open(liveDirectory);
        if (latest.isPresent() && opened.appliedIndex().index() < latest.get().getIndex()) {
            opened.close();
            LOG.atInfo()
                    .addKeyValue("shard", getGroupId())
                    .addKeyValue("snapshot", latest.get())
                    .log("store is replaced by a snapshot");
            SnapshotDirectory.install(directory.pathOf(latest.get()), liveDirectory);
            opened = stores.open(liveDirectory);
        }
        store = opened;
        applier = new EntryApplier(opened);
        AppliedIndex applied = opened.appliedIndex();
        if (applied.index() >= 0) {
            setLastAppliedTermIndex(TermIndex.valueOf(applied.term(), applied.index()));
        }
    }

    @Override
    public void pause() {
        if (getLifeCycleState().isPausingOrPaused()) {
            return; // an installation that failed is tried again
        }
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        leaderLost();
        applying.lock();
        try {
            closeStore();
        } finally {
            applying.unlock();
        }
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    @Override
    public void reinitialize() throws IOException {
        try {
            getLifeCycle().startAndTransition(() -> {
                SnapshotDirectory directory = snapshots;
                if (directory == null) {
                    throw new IllegalStateException("not initialized");
                }
                open(directory);
            });
        } catch (IOException | RuntimeException e) {
            fatal("a snapshot of " + getGroupId() + " cannot be installed", e);
            throw e;
        }
    }

    /** The node is being closed: from now on a closed division is no failure. */
    void expectClose() {
        closing = true;
    }

    private void fatal(String reason, Throwable cause) {
        failed = true;
        fatalHandler.fatal(reason, cause);
    }

    /** Ratis closes a division on any error of its own and lets the process live; a node that is half dead must stop. */
    @Override
    public void close() {
        if (!closing && !failed) {
            fatal("the Raft division " + getGroupId() + " closed", new IllegalStateException("division closed"));
        }
        closing = true;
        applying.lock();
        try {
            closeStore();
        } finally {
            applying.unlock();
        }
    }

    private void closeStore() {
        ShardStore current = store;
        store = null;
        applier = null;
        if (current != null) {
            current.close();
        }
    }

    // ---- apply

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        AppliedIndex at = new AppliedIndex(entry.getTerm(), entry.getIndex());
        applying.lock();
        try {
            EntryApplier current = applier;
            if (current == null || at.index() <= store().appliedIndex().index()) {
                return CompletableFuture.completedFuture(Message.EMPTY);
            }
            List<Verdict> verdicts = current.apply(
                    at,
                    LogEntryCodec.decode(
                            entry.getStateMachineLogEntry().getLogData().toByteArray()));
            updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
            return CompletableFuture.completedFuture(Message.valueOf(VerdictCodec.encode(verdicts)));
        } catch (RuntimeException | Error e) {
            fatal("entry " + entry.getIndex() + " of " + getGroupId() + " cannot be applied", e);
            throw e;
        } finally {
            applying.unlock();
        }
    }

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        applying.lock();
        try {
            EntryApplier current = applier;
            // Replay starts at the last snapshot, and the store may have been flushed since: Ratis bears no lower
            // index.
            if (current != null && index > store().appliedIndex().index()) {
                current.skip(new AppliedIndex(term, index));
                updateLastAppliedTermIndex(term, index);
            }
        } catch (RuntimeException e) {
            fatal("entry " + index + " of " + getGroupId() + " cannot be applied", e);
            throw e;
        } finally {
            applying.unlock();
        }
    }

    /** A linearizable read asks nothing of the store: that it was answered is the answer. */
    @Override
    public CompletableFuture<Message> query(Message request) {
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    // ---- leadership

    @Override
    public void notifyLeaderReady() {
        LeadershipListener current = listener;
        if (current != null) {
            tellIfLeading(current);
        }
    }

    private void tellIfLeading(LeadershipListener current) {
        try {
            RaftServer.Division division = getServer().join().getDivision(getGroupId());
            long endsBefore = ends.get();
            long term = division.getInfo().getCurrentTerm();
            if (!division.getInfo().isLeaderReady() || division.getInfo().getCurrentTerm() != term) {
                return;
            }
            current.leaderReady(term);
            if (ends.get() != endsBefore) {
                current.leaderLost();
            }
        } catch (IOException e) {
            fatal("division " + getGroupId() + " is gone", e);
        }
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pendingEntries) {
        leaderLost();
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId groupMemberId, RaftPeerId newLeaderId) {
        if (!groupMemberId.getPeerId().equals(newLeaderId)) {
            leaderLost();
        }
    }

    private void leaderLost() {
        ends.incrementAndGet();
        LeadershipListener current = listener;
        if (current != null) {
            current.leaderLost();
        }
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failedEntry) {
        fatal("the log of " + getGroupId() + " cannot be written", cause);
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto roleInfo, boolean allServer) {
        if (!closing && !allServer) {
            fatal("the Raft server of " + getGroupId() + " stopped", new IllegalStateException("division closed"));
        }
    }

    // ---- snapshots

    /** A snapshot that fails costs nothing but a longer log: only an IOException tells Ratis so, any other closes the division. */
    @Override
    public long takeSnapshot() throws IOException {
        try {
            return checkpoint();
        } catch (RuntimeException e) {
            throw new IOException("no snapshot of " + getGroupId() + ": " + e.getMessage(), e);
        }
    }

    private long checkpoint() throws IOException {
        SnapshotDirectory directory = snapshots;
        if (directory == null) {
            throw new IllegalStateException("not initialized");
        }
        ShardStore current = store();
        Path unfinished = directory.path().resolveSibling("unfinished-snapshot");
        SnapshotDirectory.deleteTree(unfinished);
        AppliedIndex at = current.checkpoint(unfinished);
        TermIndex index = TermIndex.valueOf(at.term(), at.index());
        Path target = directory.pathOf(index);
        if (Files.exists(target)) {
            SnapshotDirectory.deleteTree(unfinished);
        } else {
            Files.createDirectories(directory.path());
            Files.move(unfinished, target);
        }
        latestSnapshot = directory.describe(index);
        return at.index();
    }

    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        return latestSnapshot;
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return new StateMachineStorage() {
            @Override
            public void init(RaftStorage raftStorage) {}

            @Override
            public @Nullable SnapshotInfo getLatestSnapshot() {
                return latestSnapshot;
            }

            @Override
            public void format() {}

            @Override
            public void cleanupOldSnapshots(SnapshotRetentionPolicy policy) throws IOException {
                SnapshotDirectory directory = snapshots;
                if (directory != null) {
                    directory.deleteAllBut(Math.max(MINIMUM_KEPT, policy.getNumSnapshotsRetained()));
                }
            }

            @Override
            public @Nullable File getSnapshotDir() {
                SnapshotDirectory directory = snapshots;
                return directory == null ? null : directory.path().toFile();
            }
        };
    }
}
