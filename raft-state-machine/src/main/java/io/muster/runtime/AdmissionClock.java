package io.muster.runtime;

import io.muster.core.CommitCommand;
import io.muster.core.CommonRecord;
import io.muster.core.GroupRecord;
import io.muster.core.ShardTime;
import java.util.List;
import java.util.function.Consumer;

/**
 * Gives the decisions that admit commits their logical times, and announces those at which connections were recorded. Confined to the
 * shard's thread.
 */
final class AdmissionClock {
    private final Consumer<ShardTime> announcements;
    private ShardTime now;
    private ShardTime recorded;
    private ShardTime announced;

    AdmissionClock(int shard, Consumer<ShardTime> announcements) {
        this.announcements = announcements;
        this.now = new ShardTime(shard, 0, 0);
        this.recorded = now;
        this.announced = now;
    }

    /** A leadership begins, perhaps again in the same term: no time is ever used twice. */
    void begin(long term) {
        if (term != now.term()) {
            now = new ShardTime(now.shard(), term, 0);
        }
    }

    /** The time of a decision on these commands; a new one if it may admit a commit. */
    ShardTime timeOf(List<PendingCommand> commands) {
        if (commands.stream().anyMatch(pending -> pending.command() instanceof CommitCommand.Admit)) {
            now = new ShardTime(now.shard(), now.term(), now.number() + 1);
        }
        return now;
    }

    /** A decision was made. Its times are past from now on, even if nothing of it is ever applied. */
    void decided(List<GroupRecord> records) {
        records.forEach(record -> {
            if (record instanceof CommonRecord.CommitConnectionSet set) {
                ShardTime time = set.connection().recordedAt();
                recorded = time.hasReached(recorded) ? time : recorded;
            }
        });
    }

    /** Announces the latest time at which a connection was recorded, if it is news. */
    void publish() {
        if (!recorded.equals(announced)) {
            announced = recorded;
            announcements.accept(recorded);
        }
    }
}
