package io.muster.core.streams;

import io.muster.core.GroupDraft;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.Partitions;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.StreamsRecord.TaskOffsetsSet;
import java.util.Map;

/** Takes the offsets in that members report of their copies, and makes a new target due when copies that matter caught up. */
final class TaskOffsets {
    private TaskOffsets() {}

    static void tell(GroupDraft draft, StreamsHeartbeat heartbeat) {
        StreamsGroup group = Streams.group(draft);
        TaskOffsetsSet before =
                group.members().find(heartbeat.memberId()).orElseThrow().offsets();
        TaskOffsetsSet after = new TaskOffsetsSet(
                heartbeat.memberId(),
                heartbeat.taskOffsets() == null ? before.offsets() : heartbeat.taskOffsets(),
                heartbeat.taskEndOffsets() == null ? before.endOffsets() : heartbeat.taskEndOffsets());
        boolean reportsNow =
                heartbeat.taskOffsets() != null && !group.members().offsets().containsKey(heartbeat.memberId());
        if (!reportsNow && after.equals(before)) {
            return;
        }
        boolean matters = TargetAssignments.followsLag(draft) && !TargetAssignments.isBehind(draft);
        Map<String, Partitions<String>> caughtUpBefore =
                matters ? LocalStates.of(draft).caughtUp() : Map.of();
        draft.emit(after);
        if (matters) {
            reassess(draft, heartbeat.memberId(), caughtUpBefore);
        }
    }

    /** Raises the group epoch if more copies are caught up than before and so a task would run elsewhere. */
    private static void reassess(GroupDraft draft, String memberId, Map<String, Partitions<String>> caughtUpBefore) {
        Map<String, Partitions<String>> caughtUp = LocalStates.of(draft).caughtUp();
        boolean gained = caughtUp.entrySet().stream()
                .anyMatch(entry -> !caughtUpBefore
                        .getOrDefault(entry.getKey(), Partitions.none())
                        .containsAll(entry.getValue()));
        if (gained && TargetAssignments.wouldMoveActive(draft)) {
            GroupEpoch.raise(draft, Reason.TASKS_CAUGHT_UP, memberId, "");
        }
    }
}
