package io.muster.runtime;

import io.muster.core.GroupRecord;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** The groups of a shard as they are applied on this node. Any thread. */
public interface AppliedGroups {
    /** The records that are in force for a group, in an order in which they can be folded; none if nothing is known of it. */
    StoredGroup load(String groupId);

    /** The shard's feature level, see {@link io.muster.core.FeatureLevel}. */
    int featureLevel();

    /** What the cluster was founded with; empty before the shard's first entry. */
    Optional<ClusterIdentity> identity();

    /** The marks of the shard's leaderships, oldest first; see {@link io.muster.core.ClaimMarks}. */
    List<String> claimMarks();

    /** Whether no entry of Muster's was ever applied to the shard. */
    boolean isNew();

    /** Visits the ids of all groups that exist, in a fixed order. */
    void forEachId(Consumer<String> visitor);

    /** Visits what is left of groups that do not exist, in a fixed order. */
    void forEachRemnant(Consumer<Remnant> visitor);

    /**
     * What is left of a group that does not exist.
     *
     * @param claimed whether a claim is recorded for it
     * @param historyEndsAtMillis time of the last line of its history, milliseconds since 1970; empty if it has none
     */
    record Remnant(String groupId, boolean claimed, OptionalLong historyEndsAtMillis) {}

    /** @param token {@link Token#NONE} if the group does not exist */
    record StoredGroup(Token token, List<GroupRecord> records) {
        public StoredGroup {
            records = List.copyOf(records);
        }
    }
}
