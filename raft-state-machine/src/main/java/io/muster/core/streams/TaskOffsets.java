package io.muster.core.streams;

import io.muster.core.GroupDraft;
import io.muster.core.HistoryEntry;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.HistoryMessages;
import io.muster.core.Partitions;
import io.muster.core.StreamsGroupRecord.TaskOffsetsSet;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.TaskAssignment;
import io.muster.core.Topology.TaskId;
import io.muster.core.group.EpochRecords;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Takes the offsets in that members report of their copies, and makes a new target due when copies that matter caught up. */
final class TaskOffsets {
    private TaskOffsets() {}

    static void applyReport(GroupDraft draft, StreamsHeartbeat heartbeat) {
        StreamsGroup group = StreamsGroup.of(draft);
        TaskOffsetsSet before =
                group.members().find(heartbeat.memberId()).orElseThrow().offsets();
        TaskOffsetsSet after = new TaskOffsetsSet(
                heartbeat.memberId(),
                heartbeat.offsets().offsets() == null
                        ? before.offsets()
                        : heartbeat.offsets().offsets(),
                heartbeat.offsets().endOffsets() == null
                        ? before.endOffsets()
                        : heartbeat.offsets().endOffsets());
        boolean reportsNow = heartbeat.offsets().offsets() != null
                && !group.members().offsets().containsKey(heartbeat.memberId());
        if (!reportsNow && after.equals(before)) {
            return;
        }
        reassessAfter(draft, () -> {
            draft.emit(after);
            if (!after.offsets().equals(before.offsets())) {
                EndOffsets.readAgain(draft);
            }
        });
    }

    /**
     * Raises the group epoch if after the change more copies are caught up than before, and so a task would run elsewhere. What
     * catches up while the target for such an epoch is still due stands beside it in the history.
     */
    static void reassessAfter(GroupDraft draft, Runnable change) {
        boolean isBehind = StreamsTargetAssignments.isBehind(draft);
        if (!StreamsTargetAssignments.followsLag(draft) || (isBehind && !isDueToCopies(draft))) {
            change.run();
            return;
        }
        Map<String, Partitions<String>> before = LocalStates.of(draft).caughtUp();
        change.run();
        Map<String, Partitions<String>> after = LocalStates.of(draft).caughtUp();
        Map<String, Partitions<String>> gained = new TreeMap<>();
        after.forEach((id, tasks) -> {
            Partitions<String> more = tasks.minus(before.getOrDefault(id, Partitions.none()));
            if (!more.isEmpty()) {
                gained.put(id, more);
            }
        });
        if (!gained.isEmpty() && (isBehind || StreamsTargetAssignments.wouldMoveActive(draft))) {
            gained.forEach((id, tasks) -> recordCaughtUp(draft, id, words(tasks)));
        }
    }

    private static void recordCaughtUp(GroupDraft draft, String memberId, String words) {
        if (StreamsTargetAssignments.isBehind(draft)) {
            EpochRecords.note(draft, Reason.TASKS_CAUGHT_UP, memberId, words);
        } else {
            StreamsGroupEpoch.raise(draft, Reason.TASKS_CAUGHT_UP, memberId, words);
        }
    }

    /** Whether the last that happened to the group is that copies caught up. */
    private static boolean isDueToCopies(GroupDraft draft) {
        List<HistoryEntry> history = draft.group().history();
        return !history.isEmpty() && history.get(history.size() - 1).reason() == Reason.TASKS_CAUGHT_UP;
    }

    /** Tasks of all roles, for people. */
    static String words(TaskAssignment tasks) {
        return words(tasks.active().plus(tasks.standby()).plus(tasks.warmup()));
    }

    private static String words(Partitions<String> tasks) {
        return "tasks "
                + HistoryMessages.some(
                        TaskId.of(tasks).stream().map(TaskId::toString).toList());
    }
}
