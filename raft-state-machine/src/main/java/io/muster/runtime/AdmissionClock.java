package io.muster.runtime;

import io.muster.core.CommitCommand;
import io.muster.core.ShardTime;
import java.util.List;

/** Gives the decisions that admit commits their logical times. Confined to the shard's thread. */
final class AdmissionClock {
    private ShardTime now;

    AdmissionClock(int shard) {
        this.now = new ShardTime(shard, 0, 0);
    }

    /** A leadership begins. */
    void begin(long term) {
        now = new ShardTime(now.shard(), term, 0);
    }

    /** The time of a decision on these commands; a new one if it may admit a commit. */
    ShardTime timeOf(List<PendingCommand> commands) {
        if (commands.stream().anyMatch(pending -> pending.command() instanceof CommitCommand.Admit)) {
            now = new ShardTime(now.shard(), now.term(), now.number() + 1);
        }
        return now;
    }
}
