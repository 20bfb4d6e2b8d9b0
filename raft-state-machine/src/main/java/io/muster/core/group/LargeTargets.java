package io.muster.core.group;

import io.muster.core.Effect;
import io.muster.core.GroupDraft;
import io.muster.core.GroupMember;
import io.muster.core.InternalCommand;
import io.muster.core.LeaderMemory.LargeTarget;
import io.muster.core.TargetComputation;
import io.muster.core.TargetComputation.ComputedTarget;
import io.muster.core.TypedGroup;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Has large targets computed aside, one at a time for each group, and takes in what comes back. */
public final class LargeTargets {
    private LargeTargets() {}

    /**
     * Whether the target is too large to be computed within the decision; it is being computed aside then, unless this group epoch's
     * was given up: the members keep what they have until the group changes.
     *
     * @param shares how many partitions or tasks there are to be shared out
     */
    public static boolean areComputedAside(GroupDraft draft, int members, long shares, TargetComputation computation) {
        if (members * shares <= draft.context().config().largeTargetSize()) {
            return false;
        }
        int groupEpoch = draft.group().typed().groupEpoch();
        LargeTarget target = draft.memory().largeTarget();
        if (target.underWay() == 0 && target.givenUp() != groupEpoch) {
            draft.remember(draft.memory().withLargeTarget(new LargeTarget(groupEpoch, 0)));
            draft.effect(new Effect.ComputeTarget(draft.group().id(), computation));
        }
        return true;
    }

    /**
     * The target that came back, unless it is of no use any more: a newer one is in force, or it was asked for on behalf of an
     * earlier life of the group.
     */
    public static Optional<ComputedTarget> take(GroupDraft draft, InternalCommand.TargetComputed command) {
        int underWay = draft.memory().largeTarget().underWay();
        TypedGroup group = draft.group().typed();
        int givenUp = command.target().isPresent() ? 0 : underWay;
        draft.remember(draft.memory().withLargeTarget(new LargeTarget(0, givenUp)));
        return command.target()
                .filter(target -> target.groupEpoch() == underWay
                        && group.assignmentEpoch() < underWay
                        && underWay <= group.groupEpoch());
    }

    /**
     * A target for the group as it has become. A static member that came back under another member id takes what was meant for it.
     * Empty if a member is gone: what it was to have would lie idle.
     */
    public static <T> Optional<SortedMap<String, T>> fitted(
            SortedMap<String, T> byMember, TypedGroup computedFor, TypedGroup now) {
        TreeMap<String, T> fitted = new TreeMap<>();
        for (Map.Entry<String, T> entry : byMember.entrySet()) {
            Optional<String> heir = heirOf(entry.getKey(), computedFor, now);
            if (heir.isEmpty()) {
                return Optional.empty();
            }
            fitted.put(heir.get(), entry.getValue());
        }
        return Optional.of(fitted);
    }

    /** The member of now that takes what was meant for a member: itself, or the one that a static member came back as. */
    private static Optional<String> heirOf(String memberId, TypedGroup before, TypedGroup now) {
        return now.find(memberId)
                .or(() -> before.find(memberId)
                        .map(member -> member.profile().instanceId())
                        .flatMap(now::findStatic))
                .map(GroupMember::id);
    }
}
