package io.muster.raft;

import io.muster.runtime.ClusterSecret;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the Raft part of a node is set up.
 *
 * @param skippedEntries passed over, instead of being applied
 */
public record RaftConfig(Cluster cluster, Self self, Pace pace, Set<SkippedEntry> skippedEntries) {
    public RaftConfig {
        skippedEntries = Set.copyOf(skippedEntries);
    }

    /**
     * The cluster as it was created.
     *
     * @param name names the Raft groups: nodes of another name do not talk to each other
     * @param shards number of shards
     * @param secret what only this cluster's nodes know; null if everybody who reaches the port may speak to the Raft server
     * @param members all members
     */
    public record Cluster(String name, int shards, @Nullable ClusterSecret secret, List<RaftMember> members) {
        public Cluster {
            members = List.copyOf(members);
        }
    }

    /**
     * This node.
     *
     * @param id the member that it is
     * @param directory for logs, stores and snapshots; must exist
     * @param listenHost the address that is bound; empty for that of this node's member
     */
    public record Self(String id, Path directory, String listenHost) {}

    /**
     * How often things happen.
     *
     * @param electionTimeoutMinMillis lower bound of the election timeout, milliseconds
     * @param electionTimeoutMaxMillis upper bound, milliseconds
     * @param snapshotThreshold log entries after which a snapshot is taken
     */
    public record Pace(int electionTimeoutMinMillis, int electionTimeoutMaxMillis, long snapshotThreshold) {}
}
