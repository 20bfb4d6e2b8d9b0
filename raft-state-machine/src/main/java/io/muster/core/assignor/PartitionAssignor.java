package io.muster.core.assignor;

import io.muster.core.PartitionRacks;
import io.muster.core.Partitions;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Gives partitions to the members of a consumer group. Pure and deterministic. */
public interface PartitionAssignor {
    /** The name by which members ask for it. */
    String name();

    /**
     * The target of every member; each partition of a topic that anybody subscribes to has exactly one owner.
     *
     * @param members members by id
     * @param topics the topics that exist, by id
     */
    SortedMap<String, Partitions<UUID>> assign(SortedMap<String, Member> members, SortedMap<UUID, Topic> topics);

    /**
     * What an assignor may know of a topic.
     *
     * @param partitions their number, 1 or more
     * @param racks where the partitions have replicas, as far as is known
     */
    record Topic(int partitions, PartitionRacks racks) {
        /** A topic of whose replicas nothing is known. */
        public Topic(int partitions) {
            this(partitions, PartitionRacks.UNKNOWN);
        }

        /** The racks in which the partition has replicas, as far as is known. */
        SortedSet<String> racksOf(int partition) {
            return racks.racksOf(partition);
        }
    }

    /**
     * What members subscribe to; members with the same subscription should share one value.
     *
     * @param topics ids of the topics that exist
     */
    record Subscription(SortedSet<UUID> topics) {
        public Subscription {
            topics = Collections.unmodifiableSortedSet(new TreeSet<>(topics));
        }
    }

    /**
     * What an assignor may know of a member.
     *
     * @param before its target up to now
     * @param instanceId null unless it is a static member
     * @param rackId null if it did not say
     */
    record Member(
            Subscription subscription,
            Partitions<UUID> before,
            @Nullable String instanceId,
            @Nullable String rackId) {
        /** A member that is not static and did not name its rack. */
        public Member(SortedSet<UUID> subscribed, Partitions<UUID> before) {
            this(new Subscription(subscribed), before, null, null);
        }

        SortedSet<UUID> subscribed() {
            return subscription.topics();
        }
    }
}
