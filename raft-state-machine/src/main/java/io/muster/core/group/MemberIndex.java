package io.muster.core.group;

import io.muster.core.CurrentAssignment;
import io.muster.core.MemberProfile;
import io.muster.core.PersistentMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded under the ids of a group's members. Its parts may come in any order, so that a group can be rebuilt from its records.
 *
 * @param parts by member id, also of those that are no members yet
 * @param size number of members
 * @param statics the member that each instance id belongs to
 */
public record MemberIndex<P extends MemberProfile, C extends CurrentAssignment, T>(
        PersistentMap<String, Parts<P, C, T>> parts, int size, PersistentMap<String, String> statics) {
    /**
     * What is recorded of one member.
     *
     * @param profile what the member told about itself: a member is who has a profile
     */
    public record Parts<P, C, T>(
            @Nullable P profile,
            @Nullable C current,
            @Nullable T target) {
        boolean isMember() {
            return profile != null;
        }
    }

    /** An index of no members. */
    public static <P extends MemberProfile, C extends CurrentAssignment, T> MemberIndex<P, C, T> empty() {
        return new MemberIndex<>(PersistentMap.empty(), 0, PersistentMap.empty());
    }

    /** The member of this id. */
    public Optional<Parts<P, C, T>> find(String memberId) {
        return parts.find(memberId).filter(Parts::isMember);
    }

    /** The member that has this instance id now. */
    public Optional<Parts<P, C, T>> findStatic(String instanceId) {
        return statics.find(instanceId).flatMap(this::find);
    }

    /** All members, ordered by id. */
    public List<Parts<P, C, T>> all() {
        return parts.values().stream().filter(Parts::isMember).toList();
    }

    /** What the member of this id told about itself. */
    public Optional<P> profile(String memberId) {
        return parts.find(memberId).map(Parts::profile);
    }

    /** What is assigned under this id. */
    public Optional<C> current(String memberId) {
        return parts.find(memberId).map(Parts::current);
    }

    public MemberIndex<P, C, T> withProfile(P profile) {
        String memberId = profile.memberId();
        Parts<P, C, T> before = partsOf(memberId);
        PersistentMap<String, String> others = staticsWithout(memberId);
        return new MemberIndex<>(
                parts.with(memberId, new Parts<>(profile, before.current, before.target)),
                before.isMember() ? size : size + 1,
                profile.instanceId() == null ? others : others.with(profile.instanceId(), memberId));
    }

    public MemberIndex<P, C, T> withCurrent(C current) {
        Parts<P, C, T> before = partsOf(current.memberId());
        return with(current.memberId(), new Parts<>(before.profile, current, before.target));
    }

    public MemberIndex<P, C, T> withTarget(String memberId, T target) {
        Parts<P, C, T> before = partsOf(memberId);
        return with(memberId, new Parts<>(before.profile, before.current, target));
    }

    public MemberIndex<P, C, T> without(String memberId) {
        return new MemberIndex<>(
                parts.without(memberId), partsOf(memberId).isMember() ? size - 1 : size, staticsWithout(memberId));
    }

    private MemberIndex<P, C, T> with(String memberId, Parts<P, C, T> next) {
        return new MemberIndex<>(parts.with(memberId, next), size, statics);
    }

    private Parts<P, C, T> partsOf(String memberId) {
        return parts.find(memberId).orElseGet(() -> new Parts<>(null, null, null));
    }

    private PersistentMap<String, String> staticsWithout(String memberId) {
        return profile(memberId)
                .map(MemberProfile::instanceId)
                .filter(instanceId ->
                        statics.find(instanceId).filter(memberId::equals).isPresent())
                .map(statics::without)
                .orElse(statics);
    }
}
