package io.muster.gateway.coordinator;

import io.muster.core.GroupError;
import io.muster.rpc.ShardLeadership;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What goes to the leader of one shard. A request goes at once, without a lock, while there is a leader with room and nothing waits
 * before it; else it waits in the order of its number.
 */
final class ShardQueue {
    private static final int MOST_WAITING = 100_000;

    private final SortedMap<Long, PendingRequest> waiting = new TreeMap<>();
    /** Whether a request waits or is just taken from those that wait, so that later ones must not go before it. */
    private volatile boolean anyWaits;

    private volatile @Nullable Route route;
    private boolean sending;
    private boolean closed;

    private record Route(long term, SessionTraffic leader) {}

    private record Outgoing(PendingRequest request, SessionTraffic leader) {}

    boolean hasLeader() {
        return route != null;
    }

    /** 0 if there is no leader. */
    long leaderTerm() {
        Route known = route;
        return known == null ? 0 : known.term();
    }

    boolean goesTo(SessionTraffic traffic) {
        Route known = route;
        return known != null && known.leader() == traffic;
    }

    /** Returns whether the request was taken; if not, nothing was done with it. */
    boolean submit(PendingRequest request) {
        Route known = route;
        if (known != null && !anyWaits && known.leader().tryAdd(request)) {
            if (known.equals(route)) {
                known.leader().session().send(request);
                return true;
            }
            // The leader changed meanwhile: either the request was answered with all that this leader had, or it is
            // still to be sent.
            if (known.leader().remove(request.number()) == null) {
                return true;
            }
        }
        return await(request, MOST_WAITING);
    }

    /** Takes a request once more that its leader has refused; it was counted already. Returns whether it was taken. */
    boolean submitAgain(PendingRequest request) {
        return await(request, Integer.MAX_VALUE);
    }

    private boolean await(PendingRequest request, int mostWaiting) {
        synchronized (this) {
            if (closed || waiting.size() >= mostWaiting) {
                return false;
            }
            waiting.put(request.number(), request);
            anyWaits = true;
        }
        sendWaiting();
        return true;
    }

    /** Takes no more requests, and gives back those that wait. */
    synchronized List<PendingRequest> close() {
        closed = true;
        List<PendingRequest> left = List.copyOf(waiting.values());
        waiting.clear();
        return left;
    }

    /**
     * Sends what waits, as far as there is room. One thread does so at a time, and holds no lock meanwhile: an answer may come before
     * the sending returns.
     */
    void sendWaiting() {
        synchronized (this) {
            if (sending) {
                return;
            }
            sending = true;
        }
        for (Outgoing next = takeFirst(); next != null; next = takeFirst()) {
            next.leader().session().send(next.request());
        }
    }

    /** The first request if it can be sent now; else the sending is over. */
    private synchronized @Nullable Outgoing takeFirst() {
        Route known = route;
        PendingRequest first = waiting.isEmpty() ? null : waiting.get(waiting.firstKey());
        if (known == null || first == null || !known.leader().tryAdd(first)) {
            sending = false;
            anyWaits = first != null;
            return null;
        }
        waiting.remove(first.number());
        return new Outgoing(first, known.leader());
    }

    boolean anyWaits() {
        return anyWaits;
    }

    /**
     * Takes a node's word for who leads.
     *
     * @return the leader that is none any more although it did not say so; null if there is none
     */
    synchronized @Nullable SessionTraffic learn(SessionTraffic from, ShardLeadership news) {
        Route known = route;
        if (news.here()) {
            if (known != null && news.term() < known.term()) {
                return null;
            }
            route = new Route(news.term(), from);
            return known == null || known.leader() == from ? null : known.leader();
        }
        if (known == null) {
            return null;
        }
        boolean steppedDown = known.leader() == from && news.term() >= known.term();
        boolean succeeded = news.term() > known.term()
                && !news.leaderId().isEmpty()
                && !news.leaderId().equals(known.leader().session().nodeId());
        if (steppedDown || succeeded) {
            route = null;
        }
        return null;
    }

    synchronized void closed(SessionTraffic traffic) {
        if (goesTo(traffic)) {
            route = null;
        }
    }

    /** Refuses what has waited too long: for a leader, or for room at the leader. */
    synchronized void expire(long nowNanos, LateAnswers answers) {
        boolean led = route != null;
        waiting.values().removeIf(request -> {
            long until = led ? request.answerUntilNanos() : request.waitUntilNanos();
            boolean over = nowNanos - until >= 0;
            if (over) {
                answers.refuse(
                        request,
                        GroupError.COORDINATOR_NOT_AVAILABLE,
                        led ? "The node is too busy." : "The group's shard has no leader.");
            }
            return over;
        });
        anyWaits = sending || !waiting.isEmpty();
    }
}
