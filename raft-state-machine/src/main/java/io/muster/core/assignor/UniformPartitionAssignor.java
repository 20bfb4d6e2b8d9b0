package io.muster.core.assignor;

import io.muster.core.Partitions;
import java.util.SortedMap;
import java.util.UUID;

/**
 * Spreads partitions evenly, whatever their topic, and leaves as many as it can where they are. If all members subscribe to the
 * same topics, no member has two more than another; else, no partition could go to a member that has two less.
 */
final class UniformPartitionAssignor implements PartitionAssignor {
    @Override
    public String name() {
        return "uniform";
    }

    @Override
    public SortedMap<String, Partitions<UUID>> assign(
            SortedMap<String, Member> members, SortedMap<UUID, Topic> topics) {
        PartitionTable table = new PartitionTable(members, topics);
        if (table.hasEqualSubscriptions()) {
            new EqualPlacement(table).place();
        } else {
            new MixedPlacement(table).place();
        }
        return table.targets();
    }
}
