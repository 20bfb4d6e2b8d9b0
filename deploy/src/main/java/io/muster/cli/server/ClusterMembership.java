package io.muster.cli.server;

import io.muster.cli.config.MusterConfig;
import io.muster.raft.RatisNode;
import io.muster.rpc.AdminPeers.Peer;
import io.muster.rpc.DaemonThreads;
import io.muster.rpc.NodeIdentity;
import io.muster.rpc.PeerGreetings;
import io.muster.runtime.ClusterIdentity;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which cluster this node belongs to: by its data directory, by what the other nodes say, and, once Raft runs, by what is replicated.
 */
final class ClusterMembership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterMembership.class);
    private static final Duration GREETING_PATIENCE = Duration.ofSeconds(1);
    private static final long NOTE_SECONDS = 1;

    private final MusterConfig config;
    private final IdentityFile file;
    private final NodeIdentity identity;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("identity"));
    private volatile @Nullable RatisNode raft;

    private ClusterMembership(MusterConfig config, IdentityFile file, boolean empty) {
        this.config = config;
        this.file = file;
        this.identity = new NodeIdentity(config.node().id(), config.cluster().identity(), this::incarnation, empty);
    }

    /** @throws StartException if the data directory belongs to another node or cluster */
    static ClusterMembership check(MusterConfig config) throws StartException {
        boolean empty = IdentityFile.isEmpty(config.node().dataDirectory());
        return new ClusterMembership(config, IdentityFile.check(config), empty);
    }

    NodeIdentity identity() {
        return identity;
    }

    /** Where all nodes serve. */
    static List<Peer> peersOf(MusterConfig config) {
        return config.cluster().nodes().stream()
                .map(node -> new Peer(node.id(), node.rpc().host(), node.rpc().port()))
                .toList();
    }

    /**
     * Asks the other nodes who they are. A node that belongs to a cluster already goes on whatever they say: it is for them to leave.
     *
     * @throws StartException if this node knows of no cluster yet and one of them belongs to another
     */
    void meetPeers() throws StartException {
        List<Peer> others = peersOf(config).stream()
                .filter(peer -> !peer.nodeId().equals(config.node().id()))
                .toList();
        for (PeerGreetings.Answer answer :
                new PeerGreetings(identity, others, config.cluster().secret()).greetAll(GREETING_PATIENCE)) {
            if (!(answer instanceof PeerGreetings.Answer.Stranger stranger)) {
                continue;
            }
            if (incarnation().isEmpty()) {
                throw new StartException(
                        "node " + stranger.nodeId() + " is of another cluster: " + stranger.reason(), null);
            }
            LOG.atError()
                    .addKeyValue("peerId", stranger.nodeId())
                    .addKeyValue("reason", stranger.reason())
                    .log("a node is of another cluster");
        }
    }

    /**
     * Takes what Raft has in store, now and later.
     *
     * @throws StartException if that was founded with something else than is configured
     */
    void found(RatisNode started) throws StartException {
        for (int shard = 0; shard < config.cluster().shards(); shard++) {
            Optional<ClusterIdentity> stored = started.identity(shard);
            Optional<String> difference = stored.flatMap(each -> each.differenceTo(expected(each, started)));
            if (difference.isPresent()) {
                throw new StartException(
                        "the store of shard " + shard + " in " + config.node().dataDirectory()
                                + " is of another cluster: there, " + difference.get(),
                        null);
            }
        }
        raft = started;
        var unused = timer.scheduleWithFixedDelay(this::note, 0, NOTE_SECONDS, TimeUnit.SECONDS);
    }

    /** The incarnation is the cluster's in shard 0 only. */
    private ClusterIdentity expected(ClusterIdentity stored, RatisNode started) {
        boolean first = stored.incarnation().equals(started.incarnation());
        return first
                ? config.cluster().identity().of(file.cluster().incarnation())
                : config.cluster().identity();
    }

    private String incarnation() {
        RatisNode started = raft;
        return started == null || started.incarnation().isEmpty()
                ? file.cluster().incarnation()
                : started.incarnation();
    }

    private void note() {
        try {
            file.note(incarnation());
            if (!file.cluster().incarnation().isEmpty()) {
                timer.shutdown();
            }
        } catch (IOException e) {
            LOG.warn("the identity of the data directory cannot be written", e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
