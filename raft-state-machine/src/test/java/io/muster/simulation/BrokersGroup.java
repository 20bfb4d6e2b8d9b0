package io.muster.simulation;

import io.muster.core.ClaimIdentity;
import io.muster.core.CommitCommand.TopicPartition;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One classic group on the brokers, as far as a claim sees it: Muster's static member, or others, or nobody; and its offsets.
 */
final class BrokersGroup {
    /** Where the group stands. */
    enum State {
        EMPTY,
        /** Our member is listed; its first join waits for the initial rebalance delay. */
        JOINING,
        /** Our member has its generation and has not synced. */
        COMPLETING,
        STABLE,
        /** Others live here. */
        OTHERS
    }

    /**
     * An offset as its client commits it.
     *
     * @param writer the member whose commit it is
     * @param order rises with each commit that any client makes
     * @param readAt when the client fetched the offset that it began with: what others stored later it does not know of
     * @param readAtMillis the same in virtual milliseconds
     */
    record Offset(long value, String writer, long order, long readAt, long readAtMillis) {}

    /** @param at rises with each offset that is stored */
    record Stored(Offset offset, long at) {}

    private final String id;
    private State state = State.EMPTY;
    private int generation;
    private @Nullable ClaimIdentity member;
    private long sessionEndsAt;
    private int sessionTimeoutMillis;
    private final Map<TopicPartition, Stored> offsets = new TreeMap<>();
    /** Transactions that were accepted and are not over, by producer. */
    private final Map<String, Map<TopicPartition, Offset>> pending = new HashMap<>();

    BrokersGroup(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    State state() {
        return state;
    }

    Map<TopicPartition, Stored> offsets() {
        return offsets;
    }

    Map<String, Map<TopicPartition, Offset>> pending() {
        return pending;
    }

    /** Our member as upstream knows it. */
    Optional<ClaimIdentity> member() {
        return Optional.ofNullable(member);
    }

    boolean isStableAs(ClaimIdentity identity) {
        return state == State.STABLE && identity.equals(member);
    }

    void listed(String memberId) {
        state = State.JOINING;
        member = new ClaimIdentity(memberId, generation);
    }

    ClaimIdentity complete() {
        state = State.COMPLETING;
        generation++;
        return rename(member().orElseThrow().memberId());
    }

    ClaimIdentity rename(String memberId) {
        ClaimIdentity next = new ClaimIdentity(memberId, generation);
        member = next;
        return next;
    }

    void stable(int timeoutMillis, long nowMillis) {
        state = State.STABLE;
        sessionTimeoutMillis = timeoutMillis;
        alive(nowMillis);
    }

    void alive(long nowMillis) {
        sessionEndsAt = nowMillis + sessionTimeoutMillis;
    }

    boolean isExpired(long nowMillis) {
        return state == State.STABLE && nowMillis > sessionEndsAt;
    }

    /** Everybody is gone. */
    void empty() {
        state = State.EMPTY;
        member = null;
        generation++;
    }

    void others() {
        state = State.OTHERS;
        member = null;
        generation++;
    }
}
