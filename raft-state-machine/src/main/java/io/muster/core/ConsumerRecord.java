package io.muster.core;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Facts about a consumer group. */
public sealed interface ConsumerRecord extends GroupRecord {
    /** The group exists and has this epoch and target assignment epoch. */
    record GroupSet(int groupEpoch, int assignmentEpoch, long assignedAtMillis) implements ConsumerRecord {}

    /** What a member told about itself. */
    record MemberSet(
            String memberId,
            @Nullable String instanceId,
            @Nullable String rackId,
            ClientInfo client,
            int rebalanceTimeoutMillis,
            List<String> subscribedTopicNames,
            String subscribedTopicRegex,
            @Nullable String serverAssignor)
            implements ConsumerRecord {
        public MemberSet {
            subscribedTopicNames = List.copyOf(subscribedTopicNames);
        }
    }

    /** The member is gone, with its target and current assignment. */
    record MemberRemoved(String memberId) implements ConsumerRecord {}

    /** What the member shall have. */
    record TargetSet(String memberId, Partitions<UUID> partitions) implements ConsumerRecord {}

    /** Where the member stands on its way to its target. */
    record CurrentSet(
            String memberId,
            int memberEpoch,
            int previousMemberEpoch,
            Partitions<UUID> assigned,
            Partitions<UUID> pendingRevocation)
            implements ConsumerRecord {}
}
