package io.muster.core;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Details of a group's history, in words for people. */
public final class HistoryWords {
    private HistoryWords() {}

    /** What became of topics, as in {@code orders has 6 partitions instead of 3, events is gone}. */
    public static String difference(SortedMap<String, TopicInfo> before, SortedMap<String, TopicInfo> after) {
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        List<String> changes = new ArrayList<>();
        for (String name : names) {
            TopicInfo old = before.get(name);
            TopicInfo now = after.get(name);
            if (old == null || now == null || !old.equals(now)) {
                changes.add(name + change(old, now));
            }
        }
        return String.join(", ", changes);
    }

    private static String change(@Nullable TopicInfo old, @Nullable TopicInfo now) {
        if (now == null) {
            return " is gone";
        }
        if (old == null) {
            return " is there, with " + partitions(now);
        }
        if (!old.id().equals(now.id())) {
            return " was created anew, with " + partitions(now);
        }
        return old.partitions() == now.partitions()
                ? " has replicas in other racks"
                : " has " + partitions(now) + " instead of " + old.partitions();
    }

    private static String partitions(TopicInfo topic) {
        return topic.partitions() + (topic.partitions() == 1 ? " partition" : " partitions");
    }

    /** Names a static member; what else there is to say comes after it. */
    public static String ofStatic(@Nullable String instanceId, String detail) {
        if (instanceId == null) {
            return detail;
        }
        return "instance " + instanceId + (detail.isEmpty() ? "" : ": " + detail);
    }
}
