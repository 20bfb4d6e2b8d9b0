package io.muster.core.consumer;

import io.muster.core.ClaimRules;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.GroupDraft;
import io.muster.core.TopicInfo;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiPredicate;

/** Whether partitions may change hands: nobody else can commit them any more. */
record ConsumerHandOvers(ClaimRules claims) {
    /** Tells for a partition, by topic id and number, whether this member may have it. */
    BiPredicate<UUID, Integer> to(GroupDraft draft, String memberId) {
        Map<UUID, String> names = new HashMap<>();
        for (TopicInfo topic : draft.group().topicBasis().values()) {
            names.put(topic.id(), topic.name());
        }
        return (topicId, partition) -> {
            String name = names.get(topicId);
            return name == null || claims.mayHandOver(draft, new TopicPartition(name, partition), memberId);
        };
    }
}
