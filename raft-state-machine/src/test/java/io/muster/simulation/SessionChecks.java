package io.muster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * A member that gives no sign of life is removed in time: one session timeout, plus slack, after the last moment that may count as
 * a reason to wait longer. These are its own last sign of life, the beginning of the leadership, a node that stood still, and a
 * doubt about the group (a proposal whose end is unknown, a leadership that could not be confirmed), after which it is loaded
 * again. Overload is no reason.
 */
final class SessionChecks {
    /** A round of decisions on the four groups under overload takes up to 0.9 s for each of them. */
    private static final long ROUND_MILLIS = 3_600;

    /**
     * For the work itself, four rounds: the one in which the group is loaded, one that is under way when the session ends, one whose
     * change of the group is in flight then, and the one that decides. And what passes between two checks.
     */
    private static final long SLACK_MILLIS = 4 * ROUND_MILLIS + 600;

    /**
     * Where decisions on the group are too large, how many more of them a timer may have to wait for: in front of it are the commands
     * that were there when it fired, in parts. Each takes another round, and one more in which its change of the group is in flight. What
     * comes after it does not put it off, so this is the most, however long the overload lasts.
     */
    private static final int MOST_PARTS = 8;

    private final VirtualTime time;
    private final long sessionTimeoutMillis;
    private final Map<String, Long> signs = new HashMap<>();
    private final Map<String, Long> doubts = new HashMap<>();
    /** By group: how many rounds the decisions took that were to change it, by virtual milliseconds. */
    private final Map<String, NavigableMap<Long, Integer>> changes = new HashMap<>();
    /** By group: when one was too large last. */
    private final Map<String, Long> refusals = new HashMap<>();

    private long allDoubtedAt;

    SessionChecks(VirtualTime time, long sessionTimeoutMillis) {
        this.time = time;
        this.sessionTimeoutMillis = sessionTimeoutMillis;
    }

    /** A request of the member reached some node, or was answered: the leader counts from when it decided on it. */
    void sign(String groupId, String memberId) {
        signs.put(groupId + "/" + memberId, time.now());
    }

    /** What was decided on the group goes to the log, or is refused by it. */
    void decided(String groupId, boolean isTooLarge) {
        changes.computeIfAbsent(groupId, id -> new TreeMap<>()).merge(time.now(), isTooLarge ? 1 : 2, Integer::sum);
        if (isTooLarge) {
            refusals.put(groupId, time.now());
        }
    }

    private long slackMillis(String groupId, long sessionEnd) {
        // Parts of what was refused before the session's end may still be in front of the timer.
        if (refusals.getOrDefault(groupId, 0L) < sessionEnd - MOST_PARTS * ROUND_MILLIS) {
            return SLACK_MILLIS;
        }
        int rounds = changes.getOrDefault(groupId, new TreeMap<>()).tailMap(sessionEnd).values().stream()
                .mapToInt(count -> count)
                .sum();
        return SLACK_MILLIS + Math.min(2 * MOST_PARTS, rounds) * ROUND_MILLIS;
    }

    void doubt(String groupId) {
        doubts.put(groupId, time.now());
    }

    void doubtAll() {
        allDoubtedAt = time.now();
    }

    /** When the group was doubted last. */
    long doubtedAt(String groupId) {
        return Math.max(allDoubtedAt, doubts.getOrDefault(groupId, 0L));
    }

    /** @param undisturbedSince since when this leader leads and nothing stopped it */
    void check(String groupId, Set<String> memberIds, long undisturbedSince) {
        long since = Math.max(undisturbedSince, doubtedAt(groupId));
        for (String memberId : memberIds) {
            long silentSince = Math.max(since, signs.getOrDefault(groupId + "/" + memberId, 0L));
            long sessionEnd = silentSince + sessionTimeoutMillis;
            assertThat(time.now() - silentSince)
                    .as(
                            "milliseconds since which member %s of group %s gave no sign of life (or the leader had a"
                                    + " reason to wait)",
                            memberId, groupId)
                    .isLessThanOrEqualTo(sessionTimeoutMillis + slackMillis(groupId, sessionEnd));
        }
    }
}
