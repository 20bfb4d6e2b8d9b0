package io.muster.raft;

import java.nio.file.Path;
import java.util.List;

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
 */
public record RaftConfig(
        String clusterName,
        String selfId,
        List<RaftMember> members,
        int shards,
        Path directory,
        int electionTimeoutMinMillis,
        int electionTimeoutMaxMillis,
        long snapshotThreshold) {
    public RaftConfig {
        members = List.copyOf(members);
    }
}
