package io.muster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A member that gives no sign of life is removed in time: one session timeout, plus slack, after the last moment that may count as
 * a reason to wait longer. These are its own last sign of life, the beginning of the leadership, a node that stood still, and a
 * doubt about the group (a proposal whose end is unknown, a leadership that could not be confirmed), after which it is loaded
 * again. Overload is no reason.
 */
final class SessionChecks {
    /**
     * For the work itself under overload, when a round of decisions on the four groups takes up to 3.6 s: the round in which the
     * group is loaded, one that is under way when the session ends, one whose change of the group is in flight then, and the one
     * that decides.
     */
    static final long SLACK_MILLIS = 15_000;

    private final VirtualTime time;
    private final long sessionTimeoutMillis;
    private final Map<String, Long> signs = new HashMap<>();
    private final Map<String, Long> doubts = new HashMap<>();
    private long allDoubtedAt;

    SessionChecks(VirtualTime time, long sessionTimeoutMillis) {
        this.time = time;
        this.sessionTimeoutMillis = sessionTimeoutMillis;
    }

    /** A request of the member reached some node. */
    void sign(String groupId, String memberId) {
        signs.put(groupId + "/" + memberId, time.now());
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
            assertThat(time.now() - silentSince)
                    .as(
                            "milliseconds since which member %s of group %s gave no sign of life (or the leader had a"
                                    + " reason to wait)",
                            memberId, groupId)
                    .isLessThanOrEqualTo(sessionTimeoutMillis + SLACK_MILLIS);
        }
    }
}
