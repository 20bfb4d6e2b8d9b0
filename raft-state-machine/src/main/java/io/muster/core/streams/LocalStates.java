package io.muster.core.streams;

import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.Partitions;
import io.muster.core.TaskOffset;
import io.muster.core.Topology.TaskId;
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
 * another member reported, or that a gateway read. Unknown is not caught up.
 */
final class LocalStates {
    private final StreamsGroup group;
    private final long acceptableLag;
    private final Map<TaskId, Long> latestEnds = new HashMap<>();
    private final Map<TaskId, Long> readEnds;

    /**
     * @param acceptableLag how many records a copy may be behind and still count as caught up
     * @param read sums of the ends that a gateway read
     */
    LocalStates(StreamsGroup group, long acceptableLag, List<TaskOffset> read) {
        this.group = group;
        this.acceptableLag = acceptableLag;
        this.readEnds = byTask(read);
        group.members()
                .offsets()
                .values()
                .forEach(reported -> reported.endOffsets()
                        .forEach(end -> latestEnds.merge(TaskId.of(end), end.offset(), Math::max)));
    }

    static LocalStates of(GroupDraft draft) {
        return new LocalStates(
                StreamsGroup.of(draft),
                GroupConfigs.acceptableRecoveryLag(
                        draft.group(), draft.context().config()),
                EndOffsets.known(draft));
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
        Map<TaskId, Long> ends = byTask(member.offsets().endOffsets());
        TreeMap<String, TreeSet<Integer>> tasks = new TreeMap<>();
        for (TaskOffset offset : member.offsets().offsets()) {
            TaskId task = TaskId.of(offset);
            Long end = ends.getOrDefault(task, latestEnds.get(task));
            if (end == null ? isNearReadEnd(task, offset.offset()) : end - offset.offset() <= acceptableLag) {
                tasks.computeIfAbsent(task.subtopologyId(), id -> new TreeSet<>())
                        .add(task.partition());
            }
        }
        return Partitions.copyOf(tasks);
    }

    /** An offset beyond what was read afterwards is one of another changelog: nothing is known. */
    private boolean isNearReadEnd(TaskId task, long offset) {
        Long end = readEnds.get(task);
        return end != null && end >= offset && end - offset <= acceptableLag;
    }

    private static Map<TaskId, Long> byTask(List<TaskOffset> offsets) {
        Map<TaskId, Long> sums = new HashMap<>();
        offsets.forEach(offset -> sums.put(TaskId.of(offset), offset.offset()));
        return sums;
    }

    /** The tasks of all members of which {@link #of} says that they are caught up, by member id. */
    Map<String, Partitions<String>> caughtUp() {
        Map<String, Partitions<String>> all = new TreeMap<>();
        group.members().all().forEach(member -> all.put(member.id(), caughtUp(member)));
        return all;
    }
}
