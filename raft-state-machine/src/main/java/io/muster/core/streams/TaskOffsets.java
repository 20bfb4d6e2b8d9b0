package io.muster.core.streams;

import io.muster.core.GroupDraft;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.Partitions;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.StreamsRecord.TaskOffsetsSet;
import java.util.Map;
import java.util.Optional;

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
        reassessAfter(draft, () -> {
            draft.emit(after);
            if (!after.offsets().equals(before.offsets())) {
                EndOffsets.readAgain(draft);
            }
        });
    }

    /** Raises the group epoch if after the change more copies are caught up than before, and so a task would run elsewhere. */
    static void reassessAfter(GroupDraft draft, Runnable change) {
        if (!TargetAssignments.followsLag(draft) || TargetAssignments.isBehind(draft)) {
            change.run();
            return;
        }
        Map<String, Partitions<String>> before = LocalStates.of(draft).caughtUp();
        change.run();
        Map<String, Partitions<String>> after = LocalStates.of(draft).caughtUp();
        Optional<String> gained = after.entrySet().stream()
                .filter(entry ->
                        !before.getOrDefault(entry.getKey(), Partitions.none()).containsAll(entry.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
        if (gained.isPresent() && TargetAssignments.wouldMoveActive(draft)) {
            GroupEpoch.raise(draft, Reason.TASKS_CAUGHT_UP, gained.get(), "");
        }
    }
}
