package io.muster.raft;

import io.muster.core.Limits;
import java.nio.file.Path;
import java.util.List;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;

/** Ratis's properties as Muster sets them. */
final class RaftSettings {
    /** Entries that stay at the end of the log though a snapshot has them: a follower that was away for a moment needs no snapshot. */
    private static final long PRESERVED_ENTRIES = 10_000;

    /**
     * After a pause of this machine longer than this Ratis gives the server up; to the cluster a pause is the same as a cut network,
     * from which a node comes back after any time.
     */
    private static final String LONGEST_PAUSE = "3650d";

    private static final String NO_SHARDS = "no-shards";

    private static final long PURGE_GAP = 1_024;

    private RaftSettings() {}

    static RaftProperties of(RaftConfig config, String host, int port) {
        RaftProperties properties = new RaftProperties();
        setStorage(properties, config.self().directory().resolve(NO_SHARDS));
        GrpcConfigKeys.Server.setHost(properties, host);
        GrpcConfigKeys.Server.setPort(properties, port);
        setElections(properties, config);
        setLog(properties, config);
        properties.set("raft.server.close.threshold", LONGEST_PAUSE);
        properties.set("raft.server.read.option", "LINEARIZABLE");
        properties.set("raft.server.read.leader.lease.enabled", "true");
        properties.set("raft.server.snapshot.auto.trigger.enabled", "true");
        properties.set(
                "raft.server.snapshot.auto.trigger.threshold",
                Long.toString(config.pace().snapshotThreshold()));
        properties.set("raft.server.snapshot.retention.file.num", "3");
        return properties;
    }

    /**
     * Says where shards are opened from now on. A Ratis server opens by itself what lies there when it is built, without knowing
     * the members: so it is built with a place where nothing lies, and every shard is added.
     */
    static void setStorage(RaftProperties properties, Path directory) {
        RaftServerConfigKeys.setStorageDir(properties, List.of(directory.toFile()));
    }

    private static void setElections(RaftProperties properties, RaftConfig config) {
        String min = config.pace().electionTimeoutMinMillis() + "ms";
        String max = config.pace().electionTimeoutMaxMillis() + "ms";
        properties.set("raft.server.rpc.timeout.min", min);
        properties.set("raft.server.rpc.timeout.max", max);
        properties.set("raft.server.rpc.first-election.timeout.min", min);
        properties.set("raft.server.rpc.first-election.timeout.max", max);
        properties.set("raft.server.rpc.request.timeout", "1s");
        properties.set("raft.server.leaderelection.pre-vote", "true");
        properties.set("raft.server.leaderelection.leader.step-down.wait-time", "1s");
    }

    private static void setLog(RaftProperties properties, RaftConfig config) {
        long preserved = Math.min(PRESERVED_ENTRIES, config.pace().snapshotThreshold() / 10);
        properties.set("raft.server.log.appender.wait-time.min", "1ms");
        properties.set("raft.server.log.log-metadata.enabled", "false");
        // After an error Ratis waits before it sends a follower more. It sends heartbeats every half election timeout
        // all the same, and nothing else as long as the wait is longer than that: so it is shorter.
        String betweenErrors = Math.max(1, config.pace().electionTimeoutMinMillis() / 6) + "ms";
        properties.set("raft.server.log.appender.retry.policy", "1ms,10," + betweenErrors + ",100000000");
        // With it a follower of Ratis 3.3.0 acknowledges entries that it does not have: while it writes a batch, it
        // takes a longer one that begins with the same entry for the same, and says it has the end of that one too.
        properties.set("raft.server.log.append-entries.compose.enabled", "false");
        properties.set("raft.server.log.purge.upto.snapshot.index", "true");
        properties.set("raft.server.log.purge.preservation.log.num", Long.toString(preserved));
        properties.set("raft.server.log.purge.gap", Long.toString(Math.max(1, Math.min(PURGE_GAP, preserved))));
        properties.set("raft.server.log.unsafe-flush.enabled", "false");
        properties.set("raft.server.log.segment.size.max", "16MB");
        properties.set("raft.server.log.preallocated.size", "1MB");
        properties.set("raft.server.log.appender.buffer.byte-limit", Integer.toString(Limits.DEFAULT.appenderBytes()));
        properties.set("raft.server.log.write.buffer.size", "20MB");
        properties.set("raft.grpc.message.size.max", "64MB");
    }
}
