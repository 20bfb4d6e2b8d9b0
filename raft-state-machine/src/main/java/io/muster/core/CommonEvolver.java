package io.muster.core;

import java.util.ArrayList;
import java.util.List;

/** Applies the facts that all group types share. */
final class CommonEvolver {
    private CommonEvolver() {}

    static Group evolve(Group group, CommonRecord record) {
        if (record instanceof CommonRecord.GroupDeleted) {
            return Group.absent(group.id()).withHistory(group.history()).withConfigs(group.configs());
        }
        if (record instanceof CommonRecord.ClaimSet set) {
            return group.withClaim(set.claim());
        }
        if (record instanceof CommonRecord.HistoryAppended appended) {
            return group.withHistory(appended(group.history(), appended.entry()));
        }
        if (record instanceof CommonRecord.HistoryForgotten) {
            return group.withHistory(List.of());
        }
        if (record instanceof CommonRecord.ConfigsSet set) {
            return group.withConfigs(set.configs());
        }
        if (record instanceof CommonRecord.TopicBasisSet set) {
            return group.withTopicBasis(set.topics());
        }
        if (record instanceof CommonRecord.CommitConnectionSet set) {
            return group.withCommitConnections(group.commitConnections().with(set.memberId(), set.connection()));
        }
        throw new IllegalStateException("unknown record " + record);
    }

    private static List<HistoryEntry> appended(List<HistoryEntry> past, HistoryEntry entry) {
        List<HistoryEntry> all = new ArrayList<>(past);
        all.add(entry);
        return List.copyOf(all.subList(Math.max(0, all.size() - HistoryEntry.LIMIT), all.size()));
    }
}
