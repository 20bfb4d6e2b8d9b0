package io.muster.core.streams;

import io.muster.core.Topology;
import io.muster.core.Topology.Subtopology;
import io.muster.core.Topology.TaskId;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * Which tasks the members of a group hold, one member left out. While members have several topologies, what a task of one topology
 * reads may be read by another task of the other: that partition counts as held too.
 *
 * @param memberId the member that is left out
 */
record Holdings(StreamsGroup group, String memberId) {
    /**
     * Whether a member of this process, with this topology, may not run the task as active: another runs it or reads what it reads,
     * or its process keeps a copy.
     */
    BiPredicate<String, Integer> blocksActive(String processId, Topology topology) {
        return (subtopology, partition) -> {
            TaskId task = new TaskId(subtopology, partition);
            return runners(task).findAny().isPresent()
                    || isOf(keepers(task), processId)
                    || (group.topologies().areMany() && isReadByOther(task, topology));
        };
    }

    /** Whether a member of this process may not keep a copy of the task: the process runs or keeps it already. */
    BiPredicate<String, Integer> blocksSpare(String processId) {
        return (subtopology, partition) -> {
            TaskId task = new TaskId(subtopology, partition);
            return isOf(runners(task), processId) || isOf(keepers(task), processId);
        };
    }

    private Stream<StreamsMember> runners(TaskId task) {
        return others(group.members().holders().active().find(task).orElse(List.of()));
    }

    private Stream<StreamsMember> keepers(TaskId task) {
        return others(group.members().holders().spare().find(task).orElse(List.of()));
    }

    private Stream<StreamsMember> others(List<String> holders) {
        return holders.stream()
                .filter(holder -> !holder.equals(memberId))
                .flatMap(holder -> group.members().find(holder).stream());
    }

    private static boolean isOf(Stream<StreamsMember> members, String processId) {
        return members.anyMatch(member -> member.profile().processId().equals(processId));
    }

    /** Whether a task that does not share these sources in this topology reads any of them in another. */
    private boolean isReadByOther(TaskId task, Topology topology) {
        return sources(topology, task.subtopologyId()).stream()
                .anyMatch(topic -> readersElsewhere(topology, topic)
                        .map(subtopology -> new TaskId(subtopology, task.partition()))
                        .anyMatch(reader -> runners(reader)
                                .anyMatch(member -> sources(group.topologyOf(member), reader.subtopologyId())
                                        .contains(topic))));
    }

    /** The ids of subtopologies that read the topic in any topology of the group, but not in this one. */
    private Stream<String> readersElsewhere(Topology topology, String topic) {
        return group.topologies().byEpoch().values().stream()
                .flatMap(any -> any.subtopologies().stream())
                .filter(subtopology -> subtopology.allSources().contains(topic))
                .map(Subtopology::id)
                .filter(id -> !sources(topology, id).contains(topic))
                .distinct();
    }

    private static List<String> sources(Topology topology, String subtopologyId) {
        return topology.find(subtopologyId).map(Subtopology::allSources).orElse(List.of());
    }
}
