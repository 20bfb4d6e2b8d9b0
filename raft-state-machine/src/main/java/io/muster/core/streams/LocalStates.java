package io.muster.core.streams;

import io.muster.core.GroupDraft;
import io.muster.core.Partitions;
import io.muster.core.TaskOffset;
import io.muster.core.assignor.TaskAssignor.LocalState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is known of the state that lies with each member, from the sums of offsets that members report (KIP-1071).
 *
 * <p>Clients report no offsets of their running active tasks: who runs a task counts as caught up. Of a warm-up or standby copy
 * they report the sum of its offsets and the sum of the ends, of dormant state only the former: that is held against the end that
 * another member reported. Unknown is not caught up.
 */
final class LocalStates {
    private record Task(String subtopologyId, int partition) {
        static Task of(TaskOffset offset) {
            return new Task(offset.subtopologyId(), offset.partition());
        }
    }

    private final StreamsGroup group;
    private final long acceptableLag;
    private final Map<Task, Long> latestEnds = new HashMap<>();

    /**
     * @param acceptableLag how many records a copy may be behind and still count as caught up
     */
    LocalStates(StreamsGroup group, long acceptableLag) {
        this.group = group;
        this.acceptableLag = acceptableLag;
        group.members()
                .offsets()
                .values()
                .forEach(reported ->
                        reported.endOffsets().forEach(end -> latestEnds.merge(Task.of(end), end.offset(), Math::max)));
    }

    static LocalStates of(GroupDraft draft) {
        return new LocalStates(Streams.group(draft), draft.context().config().streamsAcceptableRecoveryLag());
    }

    LocalState of(StreamsMember member) {
        return new LocalState(
                member.held().active(),
                caughtUp(member),
                member.offsets().offsets(),
                group.members().offsets().containsKey(member.id()));
    }

    /** The tasks of which the member's own reports, against its own or another's end, say that it is caught up. */
    private Partitions<String> caughtUp(StreamsMember member) {
        Map<Task, Long> ends = ends(member.offsets().endOffsets());
        TreeMap<String, TreeSet<Integer>> tasks = new TreeMap<>();
        for (TaskOffset offset : member.offsets().offsets()) {
            Task task = Task.of(offset);
            Long end = ends.getOrDefault(task, latestEnds.get(task));
            if (end != null && end - offset.offset() <= acceptableLag) {
                tasks.computeIfAbsent(task.subtopologyId(), id -> new TreeSet<>())
                        .add(task.partition());
            }
        }
        return Partitions.copyOf(tasks);
    }

    private static Map<Task, Long> ends(List<TaskOffset> offsets) {
        Map<Task, Long> ends = new HashMap<>();
        offsets.forEach(offset -> ends.put(Task.of(offset), offset.offset()));
        return ends;
    }

    /** The tasks of all members of which {@link #of} says that they are caught up, by member id. */
    Map<String, Partitions<String>> caughtUp() {
        Map<String, Partitions<String>> all = new HashMap<>();
        group.members().all().forEach(member -> all.put(member.id(), caughtUp(member)));
        return all;
    }
}
