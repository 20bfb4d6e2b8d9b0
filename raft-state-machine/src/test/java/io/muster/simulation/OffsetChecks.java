package io.muster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.CommitCommand.TopicPartition;
import io.muster.simulation.BrokersGroup.Offset;
import io.muster.simulation.BrokersGroup.Stored;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What must hold of the offsets that the brokers store: they never go back, but for a member that commits again what it has
 * fetched again; nobody overwrites what it never read; and nobody commits a partition that somebody else owns.
 */
final class OffsetChecks {
    private final GroupChecks groups;
    private int stored;
    private int othersCame;

    OffsetChecks(GroupChecks groups) {
        this.groups = groups;
    }

    int commitsStored() {
        return stored;
    }

    int timesOthersCame() {
        return othersCame;
    }

    /** Others live in the group now, and may commit what they like. */
    void othersCame(String groupId) {
        othersCame++;
    }

    /**
     * Known: a group that is deleted and founded again counts its epochs from 1, as in Kafka. What a member commits of what it had
     * before may come when it has the same epoch again.
     */
    private boolean isOfADeletedGroup(String groupId, Offset offset) {
        return offset.readAtMillis() <= groups.deletedAt(groupId);
    }

    /** A broker took a commit, plain or as part of a transaction. */
    void accepted(String groupId, Map<TopicPartition, Offset> offsets) {
        offsets.forEach((partition, offset) -> {
            if (isOfADeletedGroup(groupId, offset)) {
                return;
            }
            String owner = groups.ownerOf(groupId, partition);
            assertThat(owner == null || owner.equals(offset.writer()))
                    .as(
                            "a commit of %s by %s was taken though %s owns it in group %s",
                            partition, offset.writer(), owner, groupId)
                    .isTrue();
        });
    }

    /** A broker stored an offset. */
    void stored(String groupId, TopicPartition partition, @Nullable Stored before, Offset offset) {
        stored++;
        if (before == null || isOfADeletedGroup(groupId, offset) || isOfADeletedGroup(groupId, before.offset())) {
            return;
        }
        Offset last = before.offset();
        if (last.writer().equals(offset.writer())) {
            assertThat(offset.order())
                    .as("a late commit of %s in group %s: %s replaces %s", partition, groupId, offset, last)
                    .isGreaterThan(last.order());
        } else {
            assertThat(offset.readAt())
                    .as(
                            "the offset of %s in group %s: %s replaces %s, which its member never read",
                            partition, groupId, offset, before)
                    .isGreaterThanOrEqualTo(before.at());
            assertThat(offset.value())
                    .as("the offset of %s in group %s goes back: %s replaces %s", partition, groupId, offset, last)
                    .isGreaterThanOrEqualTo(last.value());
        }
    }
}
