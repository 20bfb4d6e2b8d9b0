package io.muster.runtime;

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
}
