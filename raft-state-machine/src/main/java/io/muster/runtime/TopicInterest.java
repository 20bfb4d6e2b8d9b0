package io.muster.runtime;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which topics matter to which groups of a shard. Confined to the shard's thread. */
final class TopicInterest {
    private final Map<String, SortedSet<String>> topicsByGroup = new HashMap<>();
    private final TreeMap<String, TreeSet<String>> groupsByTopic = new TreeMap<>();

    /** Replaces a group's interest; returns whether the set of all topics changed. */
    boolean set(String groupId, SortedSet<String> topics) {
        SortedSet<String> before = topicsByGroup.getOrDefault(groupId, Collections.emptySortedSet());
        if (before.equals(topics)) {
            return false;
        }
        boolean changed = false;
        for (String topic : before) {
            changed |= !topics.contains(topic) && remove(topic, groupId);
        }
        for (String topic : topics) {
            TreeSet<String> groups = groupsByTopic.computeIfAbsent(topic, name -> new TreeSet<>());
            changed |= groups.isEmpty();
            groups.add(groupId);
        }
        if (topics.isEmpty()) {
            topicsByGroup.remove(groupId);
        } else {
            topicsByGroup.put(groupId, topics);
        }
        return changed;
    }

    /** Adds to a group's interest; returns whether the set of all topics changed. */
    boolean add(String groupId, SortedSet<String> topics) {
        SortedSet<String> all = new TreeSet<>(topics);
        all.addAll(topicsByGroup.getOrDefault(groupId, Collections.emptySortedSet()));
        return set(groupId, all);
    }

    private boolean remove(String topic, String groupId) {
        TreeSet<String> groups = groupsByTopic.get(topic);
        if (groups == null || !groups.remove(groupId) || !groups.isEmpty()) {
            return false;
        }
        groupsByTopic.remove(topic);
        return true;
    }

    Set<String> groupsInterestedIn(String topic) {
        return Collections.unmodifiableSet(groupsByTopic.getOrDefault(topic, new TreeSet<>()));
    }

    SortedSet<String> topics() {
        return new TreeSet<>(groupsByTopic.keySet());
    }

    void clear() {
        topicsByGroup.clear();
        groupsByTopic.clear();
    }
}
