package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.CurrentSet;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupDraft;
import io.muster.core.GroupError;
import io.muster.core.NoGroup;
import io.muster.core.Partitions;
import io.muster.core.Response.Refused;
import io.muster.core.TypedGroup;
import java.util.Optional;
import java.util.UUID;

/** Why a group does not take a sound heartbeat; checked in Kafka's order. */
final class ConsumerGroupValidation {
    private ConsumerGroupValidation() {}

    static Optional<Refused> refusal(GroupDraft draft, ConsumerHeartbeat heartbeat) {
        TypedGroup typed = draft.group().typed();
        if (typed instanceof ConsumerGroup group) {
            return heartbeat.joins()
                    ? joinRefusal(draft, group, heartbeat)
                    : memberRefusal(group, heartbeat).or(() -> epochRefusal(group, heartbeat));
        }
        String id = draft.group().id();
        if (!(typed instanceof NoGroup)) {
            return refused(GroupError.GROUP_ID_NOT_FOUND, "Group " + id + " is not a consumer group.");
        }
        if (heartbeat.joins()) {
            return Optional.empty();
        }
        String what = heartbeat.leaves() ? "Group " : "Consumer group ";
        return refused(GroupError.GROUP_ID_NOT_FOUND, what + id + " not found.");
    }

    static Refused unknownMember(String groupId, String memberId) {
        return new Refused(
                GroupError.UNKNOWN_MEMBER_ID, "Member " + memberId + " is not a member of group " + groupId + ".");
    }

    private static Optional<Refused> joinRefusal(GroupDraft draft, ConsumerGroup group, ConsumerHeartbeat heartbeat) {
        return sizeRefusal(draft, group, heartbeat).or(() -> unreleasedRefusal(group, heartbeat));
    }

    private static Optional<Refused> sizeRefusal(GroupDraft draft, ConsumerGroup group, ConsumerHeartbeat heartbeat) {
        int limit = draft.context().config().consumer().maxSize();
        boolean isKnown = group.members().find(heartbeat.memberId()).isPresent()
                || staticMember(group, heartbeat).isPresent();
        if (isKnown || group.members().profiles().size() < limit) {
            return Optional.empty();
        }
        return refused(
                GroupError.GROUP_MAX_SIZE_REACHED,
                "The consumer group has reached its maximum capacity of " + limit + " members.");
    }

    private static Optional<Refused> unreleasedRefusal(ConsumerGroup group, ConsumerHeartbeat heartbeat) {
        return staticMember(group, heartbeat)
                .filter(owner -> owner.epoch() != ConsumerHeartbeat.TEMPORARY_LEAVE_EPOCH)
                .map(owner -> new Refused(
                        GroupError.UNRELEASED_INSTANCE_ID,
                        "Static member " + heartbeat.memberId() + " with instance id " + heartbeat.instanceId()
                                + " cannot join the group because the instance id is owned by " + owner.id()
                                + " member."));
    }

    private static Optional<Refused> memberRefusal(ConsumerGroup group, ConsumerHeartbeat heartbeat) {
        if (heartbeat.instanceId() == null) {
            return group.members().find(heartbeat.memberId()).isPresent()
                    ? Optional.empty()
                    : Optional.of(unknownMember(heartbeat.groupId(), heartbeat.memberId()));
        }
        Optional<ConsumerMember> owner = staticMember(group, heartbeat);
        if (owner.isEmpty()) {
            return refused(GroupError.UNKNOWN_MEMBER_ID, "Instance id " + heartbeat.instanceId() + " is unknown.");
        }
        if (owner.get().id().equals(heartbeat.memberId())) {
            return Optional.empty();
        }
        return refused(
                GroupError.FENCED_INSTANCE_ID,
                "Static member " + heartbeat.memberId() + " with instance id " + heartbeat.instanceId()
                        + " was fenced by member " + owner.get().id() + ".");
    }

    private static Optional<Refused> epochRefusal(ConsumerGroup group, ConsumerHeartbeat heartbeat) {
        if (heartbeat.leaves()) {
            return Optional.empty();
        }
        CurrentSet current =
                group.members().find(heartbeat.memberId()).orElseThrow().current();
        if (heartbeat.memberEpoch() > current.memberEpoch()) {
            return fenced("greater", heartbeat, current);
        }
        if (heartbeat.memberEpoch() < current.memberEpoch() && !isLateButFine(heartbeat, current)) {
            return fenced("smaller", heartbeat, current);
        }
        return Optional.empty();
    }

    /** The answer with the new epoch may have been lost: then the member owns no more than it was given. */
    private static boolean isLateButFine(ConsumerHeartbeat heartbeat, CurrentSet current) {
        Partitions<UUID> owned = heartbeat.ownedPartitions();
        return heartbeat.memberEpoch() == current.previousMemberEpoch()
                && owned != null
                && current.assigned().containsAll(owned);
    }

    private static Optional<Refused> fenced(String how, ConsumerHeartbeat heartbeat, CurrentSet current) {
        return refused(
                GroupError.FENCED_MEMBER_EPOCH,
                "The consumer group member has a " + how + " member epoch (" + heartbeat.memberEpoch()
                        + ") than the one known by the group coordinator (" + current.memberEpoch()
                        + "). The member must abandon all its partitions and rejoin.");
    }

    private static Optional<ConsumerMember> staticMember(ConsumerGroup group, ConsumerHeartbeat heartbeat) {
        return Optional.ofNullable(heartbeat.instanceId()).flatMap(group.members()::findStatic);
    }

    private static Optional<Refused> refused(GroupError error, String message) {
        return Optional.of(new Refused(error, message));
    }
}
