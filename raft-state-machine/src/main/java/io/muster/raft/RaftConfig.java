package io.muster.raft;

import io.muster.runtime.ClusterSecret;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the Raft part of a node is set up.
 *
 * @param clusterName names the Raft groups: nodes of another name do not talk to each other
 * @param selfId the member that this node is
 * @param members all members at the creation of the cluster
 * @param shards number of shards, fixed at the creation of the cluster
 * @param directory for logs, stores and snapshots; must exist
 * @param electionTimeoutMinMillis lower bound of the election timeout, milliseconds
 * @param electionTimeoutMaxMillis upper bound, milliseconds
 * @param snapshotThreshold log entries after which a snapshot is taken
 * @param secret what only this cluster's nodes know; null if everybody who reaches the port may speak to the Raft server
 * @param listenHost the address that is bound; empty for that of this node's member
 * @param skippedEntries passed over, instead of being applied
 */
public record RaftConfig(
        String clusterName,
        String selfId,
        List<RaftMember> members,
        int shards,
        Path directory,
        int electionTimeoutMinMillis,
        int electionTimeoutMaxMillis,
        long snapshotThreshold,
        @Nullable ClusterSecret secret,
        String listenHost,
        Set<SkippedEntry> skippedEntries) {
    public RaftConfig {
        members = List.copyOf(members);
        skippedEntries = Set.copyOf(skippedEntries);
    }

    /** Without a secret. */
    public RaftConfig(
            String clusterName,
            String selfId,
            List<RaftMember> members,
            int shards,
            Path directory,
            int electionTimeoutMinMillis,
            int electionTimeoutMaxMillis,
            long snapshotThreshold) {
        this(
                clusterName,
                selfId,
                members,
                shards,
                directory,
                electionTimeoutMinMillis,
                electionTimeoutMaxMillis,
                snapshotThreshold,
                null,
                "",
                Set.of());
    }
}
