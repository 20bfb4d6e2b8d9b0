package io.muster.core.assignor;

import io.muster.core.Partitions;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/** Gives partitions to the members of a consumer group. Pure and deterministic. */
public interface PartitionAssignor {
    /** The name by which members ask for it. */
    String name();

    /**
     * The target of every member; each partition of a topic that anybody subscribes to has exactly one owner.
     *
     * @param members members by id
     * @param partitionCounts number of partitions of each topic that exists
     */
    SortedMap<String, Partitions<UUID>> assign(
            SortedMap<String, Member> members, SortedMap<UUID, Integer> partitionCounts);

    /**
     * What an assignor may know of a member.
     *
     * @param subscribed ids of the topics that it subscribes to and that exist
     * @param before its target up to now
     */
    record Member(SortedSet<UUID> subscribed, Partitions<UUID> before) {
        public Member {
            subscribed = Collections.unmodifiableSortedSet(new TreeSet<>(subscribed));
        }
    }
}
