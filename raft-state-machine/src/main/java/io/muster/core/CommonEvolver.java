package io.muster.core;

import java.util.ArrayList;
import java.util.List;

/** Applies the facts that all group types share. */
record CommonEvolver(Group group) implements CommonRecord.Handler<Group> {
    @Override
    public Group on(CommonRecord.GroupDeleted deleted) {
        return Group.absent(group.id()).withHistory(group.history()).withConfigs(group.configs());
    }

    @Override
    public Group on(CommonRecord.ClaimSet set) {
        return group.withClaim(set.claim());
    }

    @Override
    public Group on(CommonRecord.HistoryAppended appended) {
        List<HistoryEntry> all = new ArrayList<>(group.history());
        all.add(appended.entry());
        return group.withHistory(List.copyOf(all.subList(Math.max(0, all.size() - HistoryEntry.LIMIT), all.size())));
    }

    @Override
    public Group on(CommonRecord.HistoryForgotten forgotten) {
        return group.withHistory(List.of());
    }

    @Override
    public Group on(CommonRecord.ConfigsSet set) {
        return group.withConfigs(set.configs());
    }

    @Override
    public Group on(CommonRecord.TopicBasisSet set) {
        return group.withTopicBasis(set.topics());
    }

    @Override
    public Group on(CommonRecord.CommitConnectionSet set) {
        return group.withCommitConnections(group.commitConnections().with(set.memberId(), set.connection()));
    }
}
