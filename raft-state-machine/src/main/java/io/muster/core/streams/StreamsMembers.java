package io.muster.core.streams;

import io.muster.core.StreamsGroupRecord.CurrentSet;
import io.muster.core.StreamsGroupRecord.MemberSet;
import io.muster.core.StreamsGroupRecord.TaskOffsetsSet;
import io.muster.core.TaskAssignment;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is recorded under the ids of a group's members, each kind apart, so that a group can be rebuilt from its records in any
 * order.
 *
 * @param profiles what each member told about itself: a member is who has a profile
 */
record StreamsMembers(
        SortedMap<String, MemberSet> profiles,
        SortedMap<String, CurrentSet> currents,
        SortedMap<String, TaskAssignment> targets,
        SortedMap<String, TaskOffsetsSet> offsets) {
    static final StreamsMembers NONE =
            new StreamsMembers(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

    StreamsMembers {
        profiles = Collections.unmodifiableSortedMap(profiles);
        currents = Collections.unmodifiableSortedMap(currents);
        targets = Collections.unmodifiableSortedMap(targets);
        offsets = Collections.unmodifiableSortedMap(offsets);
    }

    Optional<StreamsMember> find(String memberId) {
        MemberSet profile = profiles.get(memberId);
        if (profile == null) {
            return Optional.empty();
        }
        CurrentSet current = currents.get(memberId);
        TaskOffsetsSet reported = offsets.get(memberId);
        return Optional.of(new StreamsMember(
                profile,
                current == null ? new CurrentSet(memberId, 0, 0, TaskAssignment.EMPTY, TaskAssignment.EMPTY) : current,
                targets.getOrDefault(memberId, TaskAssignment.EMPTY),
                reported == null ? TaskOffsetsSet.none(memberId) : reported));
    }

    /** All members, ordered by id. */
    List<StreamsMember> all() {
        return profiles.keySet().stream().map(id -> find(id).orElseThrow()).toList();
    }

    boolean haveTopologyEpoch(int epoch) {
        return profiles.values().stream().anyMatch(profile -> profile.topologyEpoch() == epoch);
    }

    /** The member that has this instance id now. */
    Optional<StreamsMember> findStatic(String instanceId) {
        return profiles.values().stream()
                .filter(profile -> instanceId.equals(profile.instanceId()))
                .findFirst()
                .flatMap(profile -> find(profile.memberId()));
    }

    StreamsMembers with(MemberSet set) {
        return new StreamsMembers(put(profiles, set.memberId(), set), currents, targets, offsets);
    }

    StreamsMembers with(CurrentSet set) {
        return new StreamsMembers(profiles, put(currents, set.memberId(), set), targets, offsets);
    }

    StreamsMembers withTarget(String memberId, TaskAssignment tasks) {
        return new StreamsMembers(profiles, currents, put(targets, memberId, tasks), offsets);
    }

    StreamsMembers with(TaskOffsetsSet set) {
        return new StreamsMembers(profiles, currents, targets, put(offsets, set.memberId(), set));
    }

    StreamsMembers without(String memberId) {
        return new StreamsMembers(
                remove(profiles, memberId),
                remove(currents, memberId),
                remove(targets, memberId),
                remove(offsets, memberId));
    }

    private static <V> SortedMap<String, V> put(SortedMap<String, V> map, String key, V value) {
        TreeMap<String, V> next = new TreeMap<>(map);
        next.put(key, value);
        return next;
    }

    private static <V> SortedMap<String, V> remove(SortedMap<String, V> map, String key) {
        TreeMap<String, V> next = new TreeMap<>(map);
        next.remove(key);
        return next;
    }
}
