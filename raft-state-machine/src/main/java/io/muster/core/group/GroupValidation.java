package io.muster.core.group;

import io.muster.core.CurrentAssignment;
import io.muster.core.GroupDraft;
import io.muster.core.GroupError;
import io.muster.core.GroupMember;
import io.muster.core.GroupType;
import io.muster.core.MemberHeartbeat;
import io.muster.core.NoGroup;
import io.muster.core.Response.Refused;
import io.muster.core.TypedGroup;
import java.util.Optional;

/** Why a group of any type does not take a sound heartbeat; checked in Kafka's order. */
public final class GroupValidation {
    private GroupValidation() {}

    public static Optional<Refused> refusal(GroupDraft draft, MemberHeartbeat heartbeat) {
        TypedGroup group = draft.group().typed();
        GroupType type = heartbeat.groupType();
        if (group.type().filter(type::equals).isPresent()) {
            return heartbeat.joins()
                    ? joinRefusal(draft, heartbeat)
                    : memberRefusal(draft, heartbeat).or(() -> epochRefusal(group, heartbeat));
        }
        String id = draft.group().id();
        if (!(group instanceof NoGroup)) {
            return refused(GroupError.GROUP_ID_NOT_FOUND, "Group " + id + " is not a " + type.word() + " group.");
        }
        if (heartbeat.joins()) {
            return Optional.empty();
        }
        return heartbeat.leaves()
                ? refused(GroupError.GROUP_ID_NOT_FOUND, "Group " + id + " not found.")
                : Optional.of(notFound(draft, type));
    }

    /** The group of a heartbeat is not there. */
    public static Refused notFound(GroupDraft draft, GroupType type) {
        String kind = Character.toUpperCase(type.word().charAt(0)) + type.word().substring(1);
        return new Refused(
                GroupError.GROUP_ID_NOT_FOUND, kind + " group " + draft.group().id() + " not found.");
    }

    public static Refused unknownMember(GroupDraft draft, String memberId) {
        return new Refused(
                GroupError.UNKNOWN_MEMBER_ID,
                "Member " + memberId + " is not a member of group "
                        + draft.group().id() + ".");
    }

    private static Optional<Refused> joinRefusal(GroupDraft draft, MemberHeartbeat heartbeat) {
        TypedGroup group = draft.group().typed();
        return sizeRefusal(draft, heartbeat).or(() -> unreleasedRefusal(group, heartbeat));
    }

    private static Optional<Refused> sizeRefusal(GroupDraft draft, MemberHeartbeat heartbeat) {
        TypedGroup group = draft.group().typed();
        GroupType type = heartbeat.groupType();
        int limit = draft.context().config().of(type).maxSize();
        boolean isKnown = group.find(heartbeat.memberId()).isPresent()
                || staticMember(group, heartbeat).isPresent();
        if (isKnown || group.members().size() < limit) {
            return Optional.empty();
        }
        return refused(
                GroupError.GROUP_MAX_SIZE_REACHED,
                "The " + type.word() + " group has reached its maximum capacity of " + limit + " members.");
    }

    private static Optional<Refused> unreleasedRefusal(TypedGroup group, MemberHeartbeat heartbeat) {
        return staticMember(group, heartbeat)
                .filter(owner -> owner.epoch() != MemberHeartbeat.TEMPORARY_LEAVE_EPOCH)
                .map(owner -> new Refused(
                        GroupError.UNRELEASED_INSTANCE_ID,
                        "Static member " + heartbeat.memberId() + " with instance id " + heartbeat.instanceId()
                                + " cannot join the group because the instance id is owned by " + owner.id()
                                + " member."));
    }

    private static Optional<Refused> memberRefusal(GroupDraft draft, MemberHeartbeat heartbeat) {
        TypedGroup group = draft.group().typed();
        if (heartbeat.instanceId() == null) {
            return group.find(heartbeat.memberId()).isPresent()
                    ? Optional.empty()
                    : Optional.of(unknownMember(draft, heartbeat.memberId()));
        }
        Optional<GroupMember> owner = staticMember(group, heartbeat);
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

    private static Optional<Refused> epochRefusal(TypedGroup group, MemberHeartbeat heartbeat) {
        GroupMember member = group.find(heartbeat.memberId()).orElseThrow();
        if (heartbeat.leaves() || heartbeat.memberEpoch() == member.epoch()) {
            return Optional.empty();
        }
        if (heartbeat.memberEpoch() > member.epoch()) {
            return fenced("greater", heartbeat, member.current());
        }
        // The answer with the new epoch may have been lost: then the member owns no more than it was given.
        boolean isLateButFine =
                heartbeat.memberEpoch() == member.current().previousMemberEpoch() && member.ownsOnlyAssigned(heartbeat);
        return isLateButFine ? Optional.empty() : fenced("smaller", heartbeat, member.current());
    }

    private static Optional<Refused> fenced(String how, MemberHeartbeat heartbeat, CurrentAssignment current) {
        return refused(
                GroupError.FENCED_MEMBER_EPOCH,
                "The " + heartbeat.groupType().word() + " group member has a " + how + " member epoch ("
                        + heartbeat.memberEpoch() + ") than the one known by the group coordinator ("
                        + current.memberEpoch() + "). The member must abandon all its partitions and rejoin.");
    }

    private static Optional<GroupMember> staticMember(TypedGroup group, MemberHeartbeat heartbeat) {
        return Optional.ofNullable(heartbeat.instanceId()).flatMap(group::findStatic);
    }

    private static Optional<Refused> refused(GroupError error, String message) {
        return Optional.of(new Refused(error, message));
    }
}
