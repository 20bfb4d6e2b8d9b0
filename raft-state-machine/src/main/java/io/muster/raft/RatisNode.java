package io.muster.raft;

import io.muster.runtime.AppliedGroups;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.LeadershipListener;
import io.muster.runtime.ReplicatedLog;
import io.muster.storage.AppliedIndex;
import io.muster.storage.RocksShardStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One node of the Raft cluster: one server, one Raft group a shard. */
public final class RatisNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RatisNode.class);
    private static final long TRANSFER_TIMEOUT_MILLIS = 5_000;
    private static final long SNAPSHOT_TIMEOUT_MILLIS = 60_000;

    private final RaftConfig config;
    private final ClientId clientId = ClientId.randomId();
    private final Map<RaftGroupId, ShardStateMachine> machines = new ConcurrentHashMap<>();
    private final Map<Integer, RaftGroup> groups = new TreeMap<>();
    private final StoreFactory stores;
    private final Joining joining;
    private final ShardRecovery recovery;
    private final LeaderComparison comparison;
    private final RaftServer server;
    private volatile String incarnation = "";
    private final List<CatchUp> catchUps = new ArrayList<>();

    private RatisNode(RaftConfig config, StoreFactory stores, FatalHandler fatalHandler) throws IOException {
        this.config = config;
        List<RaftPeer> peers = config.cluster().members().stream()
                .map(member -> RaftPeer.newBuilder()
                        .setId(member.id())
                        .setAddress(member.address())
                        .build())
                .toList();
        for (int shard = 0; shard < config.cluster().shards(); shard++) {
            groups.put(shard, RaftGroup.valueOf(groupId(config.cluster().name(), shard), peers));
        }
        String address = config.cluster().members().stream()
                .filter(member -> member.id().equals(config.self().id()))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("node " + config.self().id() + " is not a member"))
                .address();
        int colon = address.lastIndexOf(':');
        String host = config.self().listenHost().isEmpty()
                ? address.substring(0, colon)
                : config.self().listenHost();
        this.stores = stores;
        JoinService joins =
                new JoinService(new OwnShards(), config.self().directory().resolve("copies"));
        this.server = RaftServer.newBuilder()
                .setServerId(RaftPeerId.valueOf(config.self().id()))
                .setProperties(RaftSettings.of(config, host, Integer.parseInt(address.substring(colon + 1))))
                .setParameters(parameters(joins))
                .setStateMachineRegistry(groupId -> machine(groupId, fatalHandler))
                .build();
        RaftSettings.setStorage(
                server.getProperties(), ShardPlace.raftOf(config.self().directory()));
        this.joining =
                new Joining(config.self().id(), config.cluster().members()); // after the headers that its calls carry
        this.recovery = new ShardRecovery(stores, joining);
        this.comparison = new LeaderComparison(joining, fatalHandler);
    }

    /** The Raft group of a shard: the same on all nodes of a cluster, and another for each cluster name. */
    private static RaftGroupId groupId(String clusterName, int shard) {
        return RaftGroupId.valueOf(
                UUID.nameUUIDFromBytes(("muster/" + clusterName + "/" + shard).getBytes(StandardCharsets.UTF_8)));
    }

    private ShardStateMachine machine(RaftGroupId groupId, FatalHandler fatalHandler) {
        return machines.computeIfAbsent(groupId, id -> {
            ShardStateMachine machine =
                    new ShardStateMachine(placeOf(groupId).store(), stores, admission(groupId), fatalHandler);
            machine.observeLeaders((leaderId, term) ->
                    LOG.info("node {} leads shard {} in term {}", leaderId, shardOf(groupId), term));
            return machine;
        });
    }

    private int shardOf(RaftGroupId groupId) {
        return groups.entrySet().stream()
                .filter(entry -> entry.getValue().getGroupId().equals(groupId))
                .mapToInt(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no shard is kept in Raft group " + groupId));
    }

    private EntryAdmission admission(RaftGroupId groupId) {
        return new EntryAdmission(shardOf(groupId), clientId, config.skippedEntries());
    }

    private Parameters parameters(JoinService joins) {
        RaftCallHeaders.register(config.cluster().members(), config.cluster().secret(), this::incarnation);
        RaftPortGuard guard =
                new RaftPortGuard(config.cluster().secret(), config.self().id(), this::incarnation);
        return new RaftServices(List.of(guard), List.of(joins.definition())).parameters();
    }

    /** What the cluster was founded with, by the store of a shard; empty if it does not know, or is being replaced. */
    public Optional<ClusterIdentity> identity(int shard) {
        return machineOf(shard).identity();
    }

    /** The incarnation of the cluster that this node belongs to; empty while it does not know any. */
    public String incarnation() {
        ShardStateMachine first = machines.get(groupOf(0).getGroupId());
        if (incarnation.isEmpty() && first != null) {
            incarnation = first.identity().map(ClusterIdentity::incarnation).orElse("");
        }
        return incarnation;
    }

    private ShardPlace placeOf(RaftGroupId groupId) {
        return new ShardPlace(config.self().directory(), groupId);
    }

    /**
     * Opens logs and stores and joins the cluster. If this node's directory is empty it returns only when all other members have
     * answered, and the node has what it needs to take part: as long as it takes.
     *
     * @throws IOException if a directory or the port cannot be had; the message says which
     */
    public static RatisNode start(RaftConfig config, FatalHandler fatalHandler) throws IOException {
        return start(config, RocksShardStore::open, fatalHandler);
    }

    static RatisNode start(RaftConfig config, StoreFactory stores, FatalHandler fatalHandler) throws IOException {
        RatisNode node = new RatisNode(config, stores, fatalHandler);
        try {
            node.open();
            node.groups.keySet().forEach(node::watch);
            return node;
        } catch (IOException | RuntimeException e) {
            node.close();
            throw e;
        }
    }

    private void watch(int shard) {
        RaftServer.Division division = division(shard);
        catchUps.add(CatchUp.of(division));
        comparison.watch(shard, division, placeOf(groupOf(shard).getGroupId()));
    }

    /** What is here is opened before the port is, as nobody can talk to a shard that is not ready; what is not here is asked for. */
    private void open() throws IOException {
        List<Integer> incomplete = new ArrayList<>();
        for (int shard : groups.keySet()) {
            if (recovery.isWhole(shard, placeOf(groupOf(shard).getGroupId()))) {
                add(shard);
            } else {
                incomplete.add(shard);
            }
        }
        server.start();
        for (int shard : incomplete) {
            recovery.complete(shard, placeOf(groupOf(shard).getGroupId()));
            add(shard);
        }
    }

    private void add(int shard) throws IOException {
        require(
                server.groupManagement(GroupManagementRequest.newAdd(
                        clientId, server.getId(), CallId.getAndIncrement(), groupOf(shard), false)),
                "shard " + shard + " cannot be opened");
    }

    /** What other members ask while they join. */
    private final class OwnShards implements JoinService.Shards {
        @Override
        public Standing standing(UUID uuid) throws IOException {
            RaftGroupId groupId = RaftGroupId.valueOf(uuid);
            if (!machines.containsKey(groupId)) {
                return recovery.standing(placeOf(groupId));
            }
            RaftServer.Division division = server.getDivision(groupId);
            DivisionInfo info = division.getInfo();
            long term = info.getCurrentTerm();
            long lastIndex = division.getRaftLog().getNextIndex() - 1;
            boolean leads = info.isLeader() && info.isLeaderReady() && info.getCurrentTerm() == term;
            return new Standing(leads ? Standing.Kind.LEADS : Standing.Kind.FOLLOWS, term, lastIndex);
        }

        @Override
        public Optional<AppliedIndex> copy(UUID uuid, long atLeast, Path target) throws IOException {
            ShardStateMachine machine = machines.get(RaftGroupId.valueOf(uuid));
            if (machine == null) {
                throw new IOException("no shard is kept in Raft group " + uuid);
            }
            return machine.copy(atLeast, target);
        }

        @Override
        public Agreement compare(UUID uuid, TermIndex applied, long currentTerm) throws IOException {
            Standing standing = standing(uuid);
            if (standing.kind() != Standing.Kind.LEADS || standing.term() < currentTerm) {
                return Agreement.UNKNOWN;
            }
            TermIndex own =
                    server.getDivision(RaftGroupId.valueOf(uuid)).getRaftLog().getTermIndex(applied.getIndex());
            if (own == null) {
                return applied.getIndex() > standing.lastIndex() ? Agreement.CONTRADICTS : Agreement.UNKNOWN;
            }
            return own.equals(applied) ? Agreement.AGREES : Agreement.CONTRADICTS;
        }

        @Override
        public void asked(String id) {
            joining.asked(id);
        }
    }

    /** Tells of a shard's leadership from now on; if this node leads it already, at once. */
    public void listen(int shard, LeadershipListener listener) {
        machineOf(shard).listen(listener);
    }

    public ReplicatedLog log(int shard) {
        return new RatisReplicatedLog(division(shard), clientId);
    }

    public AppliedGroups appliedGroups(int shard) {
        return new StoredGroups(machineOf(shard)::store);
    }

    public ShardStatus status(int shard) {
        RaftServer.Division division = division(shard);
        DivisionInfo info = division.getInfo();
        SnapshotInfo snapshot = division.getStateMachine().getLatestSnapshot();
        RaftPeerId leader = info.getLeaderId();
        return new ShardStatus(
                shard,
                info.getCurrentRole().name(),
                leader == null ? "" : leader.toString(),
                info.getCurrentTerm(),
                info.getLastAppliedIndex(),
                division.getRaftLog().getLastCommittedIndex(),
                snapshot == null ? -1 : snapshot.getIndex(),
                machineOf(shard).leaderChanges());
    }

    /** SHA-256 over all that the shard's store holds; equal on nodes that applied the same. Reads the whole store. */
    public byte[] digest(int shard) {
        return machineOf(shard).store().digest();
    }

    /**
     * Moves a shard's leadership; only on its leader.
     *
     * @param toId the new leader, or empty for any other member
     * @throws IOException if it did not move within 5 s
     */
    public void transferLeadership(int shard, String toId) throws IOException {
        List<String> candidates = new ArrayList<>();
        config.cluster().members().stream()
                .map(RaftMember::id)
                .filter(id -> !id.equals(config.self().id()))
                .forEach(candidates::add);
        String target = toId.isEmpty() ? bestFollower(shard, candidates) : toId;
        RaftClientReply reply = server.transferLeadership(new TransferLeadershipRequest(
                clientId,
                server.getId(),
                groupOf(shard).getGroupId(),
                CallId.getAndIncrement(),
                RaftPeerId.valueOf(target),
                TRANSFER_TIMEOUT_MILLIS));
        // Ratis may complain about a leadership that moved while it was asked: what counts is who leads now.
        if (!target.equals(status(shard).leaderId())) {
            require(reply, "leadership of shard " + shard + " cannot be moved to " + target);
        }
    }

    /** The follower whose log is the longest: it takes over without having to catch up. */
    private String bestFollower(int shard, List<String> candidates) throws IOException {
        RaftServer.Division division = division(shard);
        String best = "";
        long bestIndex = -1;
        for (var commit : division.getCommitInfos()) {
            String id = RaftPeerId.valueOf(commit.getServer().getId()).toString();
            if (candidates.contains(id) && commit.getCommitIndex() > bestIndex) {
                best = id;
                bestIndex = commit.getCommitIndex();
            }
        }
        if (best.isEmpty()) {
            throw new IOException("shard " + shard + " has no other member to lead it");
        }
        return best;
    }

    /** Takes a snapshot of a shard on this node; returns its log index. */
    public long takeSnapshot(int shard) throws IOException {
        ShardStateMachine machine = machineOf(shard);
        machine.demandSnapshot(true);
        try {
            RaftClientReply reply = server.snapshotManagement(SnapshotManagementRequest.newCreate(
                    clientId,
                    server.getId(),
                    groupOf(shard).getGroupId(),
                    CallId.getAndIncrement(),
                    SNAPSHOT_TIMEOUT_MILLIS,
                    1));
            require(reply, "no snapshot of shard " + shard);
            return reply.getLogIndex();
        } finally {
            machine.demandSnapshot(false);
        }
    }

    private static void require(RaftClientReply reply, String complaint) throws IOException {
        if (!reply.isSuccess()) {
            String reason =
                    String.valueOf(reply.getException()).lines().findFirst().orElse("no reason given");
            throw new IOException(complaint + ": " + reason, reply.getException());
        }
    }

    private RaftGroup groupOf(int shard) {
        RaftGroup group = groups.get(shard);
        if (group == null) {
            throw new IllegalArgumentException("there is no shard " + shard + "; the cluster has "
                    + config.cluster().shards());
        }
        return group;
    }

    private ShardStateMachine machineOf(int shard) {
        ShardStateMachine machine = machines.get(groupOf(shard).getGroupId());
        if (machine == null) {
            throw new IllegalStateException("shard " + shard + " is not started");
        }
        return machine;
    }

    private RaftServer.Division division(int shard) {
        try {
            return server.getDivision(groupOf(shard).getGroupId());
        } catch (IOException e) {
            throw new IllegalStateException("shard " + shard + " is not started", e);
        }
    }

    @Override
    public void close() throws IOException {
        catchUps.forEach(CatchUp::close);
        comparison.close();
        joining.close();
        machines.values().forEach(ShardStateMachine::expectClose);
        server.close();
    }
}
