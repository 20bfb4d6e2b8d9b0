package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.GroupSet;
import io.muster.core.GroupDraft;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.HistoryMessages;
import io.muster.core.KnownTopics;
import io.muster.core.TopicInfo;
import io.muster.core.group.EpochRecords;
import io.muster.core.group.MemberRemoval;
import java.util.SortedMap;

/** Raises the group epoch, which makes a new target due. */
final class ConsumerGroupEpoch {
    /** Removal that raises the epoch. */
    static final MemberRemoval REMOVAL = new MemberRemoval(ConsumerGroupEpoch::raise);

    private ConsumerGroupEpoch() {}

    /** Raises the epoch by one and says why in the history. An empty group needs no target: its assignment epoch follows. */
    static void raise(GroupDraft draft, Reason reason, String memberId, String detail) {
        Patterns.forgetUnused(draft);
        ConsumerGroup group = ConsumerGroup.of(draft);
        EpochRecords.setBasis(draft, basis(draft, group));
        GroupSet status = group.status();
        int epoch = status.groupEpoch() + 1;
        draft.emit(
                group.isEmpty()
                        ? new GroupSet(epoch, epoch, 0)
                        : new GroupSet(epoch, status.assignmentEpoch(), status.assignedAtMillis()));
        EpochRecords.note(draft, reason, memberId, detail);
    }

    /** Raises the epoch if the topics are not those that the last one was raised with. */
    static void raiseIfTopicsChanged(GroupDraft draft) {
        SortedMap<String, TopicInfo> basis = basis(draft, ConsumerGroup.of(draft));
        if (!basis.equals(draft.group().topicBasis())) {
            raise(
                    draft,
                    Reason.TOPICS_CHANGED,
                    "",
                    HistoryMessages.difference(draft.group().topicBasis(), basis));
        }
    }

    private static SortedMap<String, TopicInfo> basis(GroupDraft draft, ConsumerGroup group) {
        return KnownTopics.of(draft).existing(group.members().subscribedTopics());
    }
}
