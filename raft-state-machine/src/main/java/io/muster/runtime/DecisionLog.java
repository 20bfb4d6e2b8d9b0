package io.muster.runtime;

import io.muster.core.CommonRecord;
import io.muster.core.Decision;
import io.muster.core.HistoryEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes one structured line for each change of a group's epoch, and at debug level for every other change. */
final class DecisionLog {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);

    private final int shard;

    DecisionLog(int shard) {
        this.shard = shard;
    }

    void applied(Decision decision) {
        boolean written = false;
        for (var record : decision.records()) {
            if (record instanceof CommonRecord.HistoryAppended appended) {
                write(decision.after().id(), appended.entry());
                written = true;
            }
        }
        if (!written) {
            LOG.atDebug()
                    .addKeyValue("groupId", decision.after().id())
                    .addKeyValue("shard", shard)
                    .addKeyValue("records", decision.records().size())
                    .log("group changed");
        }
    }

    private void write(String groupId, HistoryEntry entry) {
        LOG.atInfo()
                .addKeyValue("groupId", groupId)
                .addKeyValue("memberId", entry.memberId())
                .addKeyValue("groupEpoch", entry.groupEpoch())
                .addKeyValue("shard", shard)
                .addKeyValue("reason", entry.reason())
                .addKeyValue("detail", entry.detail())
                .log("group epoch changed");
    }
}
