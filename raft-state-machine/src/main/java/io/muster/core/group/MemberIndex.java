package io.muster.core.group;

import io.muster.core.CurrentAssignment;
import io.muster.core.MemberProfile;
import io.muster.core.PersistentMap;
import java.util.Optional;

/**
 * What is recorded under the ids of a group's members, each kind apart, so that a group can be rebuilt from its records in any
 * order.
 *
 * @param profiles what each member told about itself: a member is who has a profile
 * @param statics the member that each instance id belongs to
 */
public record MemberIndex<P extends MemberProfile, C extends CurrentAssignment, T>(
        PersistentMap<String, P> profiles,
        PersistentMap<String, C> currents,
        PersistentMap<String, T> targets,
        PersistentMap<String, String> statics) {
    /** An index of no members. */
    public static <P extends MemberProfile, C extends CurrentAssignment, T> MemberIndex<P, C, T> empty() {
        return new MemberIndex<>(
                PersistentMap.empty(), PersistentMap.empty(), PersistentMap.empty(), PersistentMap.empty());
    }

    public MemberIndex<P, C, T> withProfile(P profile) {
        PersistentMap<String, String> others = staticsWithout(profile.memberId());
        return new MemberIndex<>(
                profiles.with(profile.memberId(), profile),
                currents,
                targets,
                profile.instanceId() == null ? others : others.with(profile.instanceId(), profile.memberId()));
    }

    public MemberIndex<P, C, T> withCurrent(C current) {
        return new MemberIndex<>(profiles, currents.with(current.memberId(), current), targets, statics);
    }

    public MemberIndex<P, C, T> withTarget(String memberId, T target) {
        return new MemberIndex<>(profiles, currents, targets.with(memberId, target), statics);
    }

    public MemberIndex<P, C, T> without(String memberId) {
        return new MemberIndex<>(
                profiles.without(memberId),
                currents.without(memberId),
                targets.without(memberId),
                staticsWithout(memberId));
    }

    /** What the member told that has this instance id now. */
    public Optional<P> findStatic(String instanceId) {
        return statics.find(instanceId).flatMap(profiles::find);
    }

    private PersistentMap<String, String> staticsWithout(String memberId) {
        return profiles.find(memberId)
                .map(MemberProfile::instanceId)
                .filter(instanceId ->
                        statics.find(instanceId).filter(memberId::equals).isPresent())
                .map(statics::without)
                .orElse(statics);
    }
}
