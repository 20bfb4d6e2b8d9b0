package io.muster.core;

import io.muster.core.HistoryEntry.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Details of a group's history, in words for people. */
public final class HistoryMessages {
    private static final int NAMED = 10;

    private static final Set<Reason> COMES_OR_GOES = EnumSet.of(
            Reason.JOINED,
            Reason.LEFT,
            Reason.SESSION_EXPIRED,
            Reason.REVOCATION_TIMED_OUT,
            Reason.REMOVED_BY_OPERATOR,
            Reason.FENCED);

    private HistoryMessages() {}

    /** What happened to so many members at once, the first of which is named elsewhere. */
    public static String withOthers(String detail, int members) {
        return members == 1 ? detail : detail + ", with " + (members - 1) + " more";
    }

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

    /**
     * Says who a member is that came or went, since no description tells of it any more once it is gone; of others it names the
     * static ones. What else there is to say comes after it.
     */
    public static String ofMember(Reason reason, MemberProfile member, String detail) {
        List<String> who = new ArrayList<>();
        if (member.instanceId() != null) {
            who.add("instance " + member.instanceId());
        }
        if (COMES_OR_GOES.contains(reason)) {
            who.add("client " + member.client().clientId() + " at "
                    + member.client().clientHost());
        }
        String name = String.join(", ", who);
        return name + (name.isEmpty() || detail.isEmpty() ? "" : ": ") + detail;
    }

    /** What a member joined, if that was no group with other members. */
    public static String ofFirst(boolean founds, boolean wasEmpty) {
        if (founds) {
            return "founds the group";
        }
        return wasEmpty ? "the group was empty" : "";
    }

    /** Why a member's session is over. */
    public static String ofSession(boolean wasAway) {
        return wasAway ? "did not come back within the session timeout" : "no heartbeat within the session timeout";
    }

    /** What a member did not give up in time, and how long it had, milliseconds. */
    public static String ofRevocation(String kept, int timeoutMillis) {
        return kept + " not given up within " + timeoutMillis + " ms";
    }

    /** Names of topic partitions, as in {@code orders-3}; of topics that are known by their ids only, the ids. */
    public static List<String> partitions(Partitions<UUID> partitions, SortedMap<String, TopicInfo> topics) {
        Map<UUID, String> names =
                topics.values().stream().collect(Collectors.toMap(TopicInfo::id, TopicInfo::name, (one, other) -> one));
        List<String> words = new ArrayList<>();
        partitions.forEach((id, partition) -> words.add(names.getOrDefault(id, id.toString()) + "-" + partition));
        Collections.sort(words);
        return words;
    }

    /** Some of the names, and how many more there are. */
    public static String some(Collection<String> names) {
        String first = names.stream().limit(NAMED).collect(Collectors.joining(", "));
        int more = names.size() - NAMED;
        return more > 0 ? first + " and " + more + " more" : first;
    }
}
