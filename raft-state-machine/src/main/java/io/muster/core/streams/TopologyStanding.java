package io.muster.core.streams;

import io.muster.core.GroupDraft;
import io.muster.core.KnownTopics;
import io.muster.core.LeaderMemory;
import io.muster.core.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/**
 * How a group's topologies stand against the topics (KIP-1071, "Topology updates").
 *
 * @param newest the group's topology
 * @param inForce the topology that the tasks follow: the group's, or an older one until the group's is ready
 */
record TopologyStanding(ConfiguredTopology newest, ConfiguredTopology inForce) {
    /** Of a group that has a topology. */
    static TopologyStanding of(StreamsGroup group, KnownTopics topics) {
        Topology topology = group.topology().orElseThrow();
        ConfiguredTopology newest = TopologyConfiguration.configure(topology, topics);
        if (newest.isReady()) {
            return new TopologyStanding(newest, newest);
        }
        return group.olderInForce()
                .map(older -> new TopologyStanding(newest, TopologyConfiguration.configure(older, topics)))
                .orElseGet(() -> new TopologyStanding(newest, newest));
    }

    /** Against the topics as they are known now. */
    static TopologyStanding of(GroupDraft draft) {
        return of(StreamsGroup.of(draft), KnownTopics.of(draft));
    }

    /** Whether an older topology is in force because the group's is not ready. */
    boolean isUpdating() {
        return inForce.topology().epoch() != newest.topology().epoch();
    }

    /**
     * What a member of this topology epoch is told about and may have topics created for. One whose topology is neither the
     * group's nor in force is spared the trouble that others have.
     */
    ConfiguredTopology heardBy(int topologyEpoch) {
        if (topologyEpoch == newest.topology().epoch()) {
            return newest;
        }
        return topologyEpoch == inForce.topology().epoch() ? inForce : ConfiguredTopology.undecided(newest.topology());
    }

    /** What the group waits for, for operators. */
    List<String> waiting(StreamsGroup group, LeaderMemory memory) {
        List<String> sentences = new ArrayList<>();
        addTrouble(sentences, newest, memory);
        if (isUpdating()) {
            addTrouble(sentences, inForce, memory);
            sentences.add("topology epoch " + inForce.topology().epoch()
                    + " stays in force until the topics of topology epoch "
                    + newest.topology().epoch() + " are ready");
        }
        SortedSet<String> orphaned = OrphanedTasks.of(group, inForce);
        if (!orphaned.isEmpty()) {
            sentences.add(OrphanedTasks.sentence(orphaned, inForce));
        }
        return sentences;
    }

    private static void addTrouble(List<String> sentences, ConfiguredTopology configured, LeaderMemory memory) {
        String topology = "topology epoch " + configured.topology().epoch() + ": ";
        configured
                .problem()
                .ifPresent(problem -> sentences.add(topology + problem.code() + ", " + problem.detail()
                        + InternalTopics.failures(memory, configured)));
        configured.flaw().ifPresent(flaw -> sentences.add(topology + flaw));
    }
}
