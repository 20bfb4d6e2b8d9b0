package io.muster.raft;

import io.muster.codec.LogEntryCodec;
import io.muster.codec.StoredRecords;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.LeadershipListener;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.storage.AppliedIndex;
import io.muster.storage.ShardStore;
import java.io.File;
import java.io.IOException;
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
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
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

    private final StoreDirectory live;
    private final StoreFactory stores;
    private final EntryAdmission admission;
    private final FatalHandler fatalHandler;
    /** Keeps the store from being closed while an entry is applied to it. */
    private final ReentrantLock applying = new ReentrantLock();

    private volatile @Nullable LeadershipListener listener;
    private volatile @Nullable SnapshotDirectory snapshots;
    private volatile @Nullable SnapshotInfo latestSnapshot;
    private volatile @Nullable ShardStore store;
    private @Nullable EntryApplier applier;
    private volatile boolean closing;
    /** Somebody waits for a snapshot: it is taken in one go. */
    private volatile boolean snapshotDemanded;

    private volatile boolean failed;
    /** Counts the ends of leadership, so that one that races with a beginning is not lost. */
    private final AtomicLong ends = new AtomicLong();

    private final AtomicLong leaderChanges = new AtomicLong();
    private volatile LeaderObserver leaders = (leaderId, term) -> {};

    ShardStateMachine(Path liveDirectory, StoreFactory stores, EntryAdmission admission, FatalHandler fatalHandler) {
        this.admission = admission;
        this.live = new StoreDirectory(liveDirectory);
        this.stores = stores;
        this.fatalHandler = fatalHandler;
    }

    /** Reports leadership from now on; if this node leads already, at once. */
    void listen(LeadershipListener next) {
        listener = next;
        if (getServer().isDone()) {
            notifyIfLeading(next);
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

    /** What the cluster was founded with; empty if this node does not know, or at the moment cannot say. */
    Optional<ClusterIdentity> identity() {
        if (!applying.tryLock()) {
            return Optional.empty();
        }
        try {
            ShardStore current = store;
            return current == null ? Optional.empty() : StoredRecords.identity(current);
        } finally {
            applying.unlock();
        }
    }

    /** Reports each leader of the shard from now on. */
    void observeLeaders(LeaderObserver observer) {
        leaders = observer;
    }

    // ---- life

    @Override
    public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage storage) throws IOException {
        getLifeCycle().startAndTransition(() -> {
            super.initialize(server, groupId, storage);
            SnapshotDirectory directory = new SnapshotDirectory(
                    storage.getStorageDir().getStateMachineDir().toPath());
            snapshots = directory;
            directory.clean();
            open(directory);
        });
    }

    /**
     * Opens the store as far as it got, or as the latest snapshot has it if that is further. A store that was flushed since the
     * latest snapshot gets one now: replay then begins where the store stands.
     */
    private void open(SnapshotDirectory directory) throws IOException {
        live.recover();
        Optional<TermIndex> latest = directory.latest();
        ShardStore opened = stores.open(live.path());
        if (latest.isPresent() && opened.appliedIndex().index() < latest.get().getIndex()) {
            opened.close();
            LOG.atInfo()
                    .addKeyValue("shard", getGroupId())
                    .addKeyValue("snapshot", latest.get())
                    .log("store is replaced by a snapshot");
            live.install(directory.pathOf(latest.get()));
            opened = stores.open(live.path());
        }
        AppliedIndex applied = opened.appliedIndex();
        try {
            if (applied.index() > latest.map(TermIndex::getIndex).orElse(-1L)) {
                latest = Optional.of(directory.take(opened));
            }
            latestSnapshot = latest.isPresent() ? directory.describe(latest.get()) : null;
            applier = new EntryApplier(opened);
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
        store = opened;
        if (applied.index() >= 0) {
            setLastAppliedTermIndex(TermIndex.valueOf(applied.term(), applied.index()));
        }
    }

    /**
     * A snapshot from the leader is complete and about to be published. The old store goes on until {@link #reinitialize} has the
     * new one: if the publication fails nothing has happened, and entries that are applied meanwhile are not lost.
     */
    @Override
    public void pause() {
        if (getLifeCycleState().isPausingOrPaused()) {
            return; // an installation that failed is tried again
        }
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        leaderLost();
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    @Override
    public void reinitialize() throws IOException {
        leaderLost();
        applying.lock();
        try {
            getLifeCycle().startAndTransition(() -> {
                closeStore();
                open(snapshots());
            });
        } catch (IOException | RuntimeException e) {
            fatal("a snapshot of " + getGroupId() + " cannot be installed", e);
            throw e;
        } finally {
            applying.unlock();
        }
    }

    private SnapshotDirectory snapshots() {
        SnapshotDirectory directory = snapshots;
        if (directory == null) {
            throw new IllegalStateException("not initialized");
        }
        return directory;
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

    // ---- append

    @Override
    public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
        TransactionContext transaction = super.startTransaction(request);
        admission.refusal(request).ifPresent(reason -> {
            LOG.atWarn()
                    .addKeyValue("shard", getGroupId())
                    .addKeyValue("clientId", request.getClientId())
                    .addKeyValue("reason", reason)
                    .log("an entry is not appended");
            transaction.setException(new IOException(reason));
        });
        return transaction;
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
            if (admission.isSkipped(at.term(), at.index())) {
                return skipOnPurpose(current, at);
            }
            List<Verdict> verdicts = current.apply(
                    at,
                    LogEntryCodec.decode(
                            entry.getStateMachineLogEntry().getLogData().toByteArray()));
            updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
            return CompletableFuture.completedFuture(Message.valueOf(VerdictCodec.encode(verdicts)));
        } catch (RuntimeException | Error e) {
            fatal(admission.cannotBeApplied(entry.getTerm(), entry.getIndex()), e);
            throw e;
        } finally {
            applying.unlock();
        }
    }

    private CompletableFuture<Message> skipOnPurpose(EntryApplier current, AppliedIndex at) {
        LOG.atError()
                .addKeyValue("shard", getGroupId())
                .addKeyValue("term", at.term())
                .addKeyValue("index", at.index())
                .log("an entry is passed over, as an operator asked: what it would have changed is lost");
        current.skip(at);
        updateLastAppliedTermIndex(at.term(), at.index());
        return CompletableFuture.completedFuture(Message.EMPTY);
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
            notifyIfLeading(current);
        }
    }

    private void notifyIfLeading(LeadershipListener current) {
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

    /** How often this node has heard of a new leader since it started. */
    long leaderChanges() {
        return leaderChanges.get();
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId groupMemberId, RaftPeerId newLeaderId) {
        leaderChanges.incrementAndGet();
        leaders.leads(newLeaderId.toString(), currentTerm());
        if (!groupMemberId.getPeerId().equals(newLeaderId)) {
            leaderLost();
        }
    }

    private long currentTerm() {
        try {
            return getServer().join().getDivision(getGroupId()).getInfo().getCurrentTerm();
        } catch (IOException e) {
            return -1; // the division is being closed
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

    /** Copies the store into a directory that does not exist yet; empty if less than this index is applied. */
    Optional<AppliedIndex> copy(long atLeast, Path target) {
        ShardStore current = store();
        return current.appliedIndex().index() < atLeast ? Optional.empty() : Optional.of(current.checkpoint(target));
    }

    /** Demands that the next snapshot is taken in one go, or no longer. */
    void demandSnapshot(boolean demanded) {
        snapshotDemanded = demanded;
    }

    /**
     * Takes a snapshot, between two entries. What is only in memory is written beforehand, beside the entries that are applied
     * meanwhile: until that is done this is asked in vain. A snapshot that fails costs nothing but a longer log, and only an
     * IOException says so to Ratis: any other closes the division.
     */
    @Override
    public long takeSnapshot() throws IOException {
        try {
            ShardStore current = store();
            if (!snapshotDemanded && !closing && !current.flushAhead()) {
                return RaftLog.INVALID_LOG_INDEX;
            }
            SnapshotDirectory directory = snapshots();
            TermIndex index = directory.take(current);
            latestSnapshot = directory.describe(index);
            return index.getIndex();
        } catch (RuntimeException e) {
            throw new IOException("no snapshot of " + getGroupId() + ": " + e.getMessage(), e);
        }
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
                snapshots().deleteAllBut(Math.max(MINIMUM_KEPT, policy.getNumSnapshotsRetained()));
            }

            @Override
            public @Nullable File getSnapshotDir() {
                SnapshotDirectory directory = snapshots;
                return directory == null ? null : directory.path().toFile();
            }
        };
    }
}
