package io.muster.runtime;

import io.muster.core.CommonRecord;
import io.muster.core.GroupRecord;
import java.util.List;

/**
 * The records of one decision about one group.
 *
 * @param base the group's token that the decision was made on
 */
public record RecordBatch(String groupId, Token base, List<GroupRecord> records) {
    public RecordBatch {
        records = List.copyOf(records);
    }

    /**
     * The group's token once this batch is applied.
     *
     * @param entry the token of the entry that carries the batch
     */
    public Token tokenAfter(Token entry) {
        boolean deleted = false;
        for (GroupRecord record : records) {
            deleted = record instanceof CommonRecord.GroupDeleted
                    || record instanceof CommonRecord.HistoryForgotten
                    || (deleted && outlivesTheGroup(record));
        }
        return deleted ? Token.NONE : entry;
    }

    private static boolean outlivesTheGroup(GroupRecord record) {
        return record instanceof CommonRecord.HistoryAppended || record instanceof CommonRecord.ConfigsSet;
    }
}
