package io.muster.core.streams;

import io.muster.core.GroupDraft;
import io.muster.core.HistoryEntry;
import io.muster.core.HistoryEntry.Reason;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Tasks that no member may take, since no member of the topology in force is left (KIP-1071). They wait for one. */
final class OrphanedTasks {
    private static final int SHOWN = 10;

    private static final String NONE = "no longer: all tasks have an owner again";

    private OrphanedTasks() {}

    /** The tasks of a ready topology that no member's target holds, as Kafka Streams names tasks. */
    static SortedSet<String> of(StreamsGroup group, ConfiguredTopology configured) {
        TreeSet<String> tasks = new TreeSet<>();
        int epoch = configured.topology().epoch();
        if (group.members().topologyEpochs().byKey().keys().stream().allMatch(any -> any == epoch)) {
            return tasks;
        }
        configured.taskCounts().forEach((subtopology, count) -> {
            for (int partition = 0; partition < count; partition++) {
                tasks.add(name(subtopology, partition));
            }
        });
        group.members()
                .all()
                .forEach(member -> member.target()
                        .active()
                        .forEach((subtopology, partition) -> tasks.remove(name(subtopology, partition))));
        return tasks;
    }

    /** Says in the history which tasks wait since the target was computed, unless the history says so already. */
    static void note(GroupDraft draft, ConfiguredTopology configured) {
        SortedSet<String> tasks = of(StreamsGroup.of(draft), configured);
        String last = draft.group().history().stream()
                .filter(entry -> entry.reason() == Reason.TASKS_ORPHANED)
                .map(HistoryEntry::detail)
                .reduce(NONE, (earlier, later) -> later);
        String now = tasks.isEmpty() ? NONE : sentence(tasks, configured);
        if (!now.equals(last)) {
            draft.history(Reason.TASKS_ORPHANED, "", now);
        }
    }

    static String sentence(Collection<String> tasks, ConfiguredTopology configured) {
        String first = tasks.stream().limit(SHOWN).collect(Collectors.joining(", "));
        int more = tasks.size() - SHOWN;
        return "tasks " + first + (more > 0 ? " and " + more + " more" : "") + " wait for a member of topology epoch "
                + configured.topology().epoch();
    }

    private static String name(String subtopology, int partition) {
        return subtopology + "_" + partition;
    }
}
