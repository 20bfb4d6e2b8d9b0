package io.muster.core.streams;

import io.muster.core.ClaimRules;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.GroupDraft;
import io.muster.core.Topology;
import java.util.function.BiPredicate;

/** Whether tasks may change hands: nobody else can commit any of the partitions that they read. */
record StreamsHandOvers(ClaimRules claims) {
    /** Tells for a task of this topology, by subtopology id and number, whether this member may have it. */
    BiPredicate<String, Integer> to(GroupDraft draft, String memberId, Topology topology) {
        return (subtopologyId, partition) -> topology.find(subtopologyId)
                .map(subtopology -> subtopology.allSources().stream()
                        .allMatch(topic -> claims.mayHandOver(draft, new TopicPartition(topic, partition), memberId)))
                .orElse(true);
    }

    /** Whether the group's first partition could go to this member; asks for a fence if it takes one. */
    boolean mayStart(GroupDraft draft, String memberId) {
        Topology topology = StreamsGroup.of(draft).topology().orElseThrow();
        return topology.subtopologies().isEmpty()
                || to(draft, memberId, topology)
                        .test(topology.subtopologies().get(0).id(), 0);
    }
}
