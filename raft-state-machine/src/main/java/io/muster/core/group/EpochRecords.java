package io.muster.core.group;

import io.muster.core.CommonRecord;
import io.muster.core.GroupDraft;
import io.muster.core.GroupMember;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.HistoryMessages;
import io.muster.core.TopicInfo;
import java.util.Optional;
import java.util.SortedMap;

/** What a new group epoch records, whatever the type of the group is. */
public final class EpochRecords {
    private EpochRecords() {}

    /** Records the topics that the next target is computed on, if they are others than before. */
    public static void setBasis(GroupDraft draft, SortedMap<String, TopicInfo> basis) {
        if (!basis.equals(draft.group().topicBasis())) {
            draft.emit(new CommonRecord.TopicBasisSet(basis));
        }
    }

    /**
     * Says in the history what happened to a member, whether or not that raised the epoch.
     *
     * @param memberId may be of a member that this decision removed; empty if it is about no member
     */
    public static void note(GroupDraft draft, Reason reason, String memberId, String detail) {
        Optional<GroupMember> member = draft.group()
                .typed()
                .find(memberId)
                .or(() -> draft.before().typed().find(memberId));
        draft.history(
                reason,
                memberId,
                member.map(some -> HistoryMessages.ofMember(reason, some.profile(), detail))
                        .orElse(detail));
    }
}
