package io.muster.gateway.coordinator;

import io.muster.core.GroupError;
import io.muster.gateway.coordinator.PendingRequest.Question;
import io.muster.rpc.CoordinatorAnswer;
import io.muster.rpc.ShardLeadership;
import io.muster.runtime.ShardRouter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which session each request goes by. A request is sent again only when the node said that it did nothing with it, or when it was
 * never sent: all else has an unknown outcome and is answered so. Requests of one group keep their order. Any thread.
 */
final class ShardRouting {
    /** Requests that may come before a node has said how many shards there are. */
    private static final int MOST_EARLY = 100_000;

    private static final String CLOSED = "The gateway is closing.";

    private final Map<NodeSession, SessionTraffic> traffic = new ConcurrentHashMap<>();
    private final List<PendingRequest> early = new ArrayList<>();
    private volatile Shards shards = new Shards(List.of(), new ShardRouter(1));
    private boolean closed;

    private record Shards(List<ShardQueue> queues, ShardRouter router) {
        boolean areKnown() {
            return !queues.isEmpty();
        }

        ShardQueue of(PendingRequest request) {
            return queues.get(shardOf(request));
        }

        int shardOf(PendingRequest request) {
            return request.asked() instanceof Question.Decide decide
                    ? router.shardOf(decide.command().groupId())
                    : ((Question.ListGroups) request.asked()).shard();
        }
    }

    /** Number of shards, 0 until a node was reached. */
    int shards() {
        return shards.queues().size();
    }

    /** The shard of a group; only once the number of shards is known. */
    int shardOf(String groupId) {
        return shards.router().shardOf(groupId);
    }

    /** Whether the shard of this group has a leader to which a session is open; false until a node was reached. */
    boolean hasLeader(String groupId) {
        Shards known = shards;
        return known.areKnown()
                && known.queues().get(known.router().shardOf(groupId)).hasLeader();
    }

    /** The term of this shard's leader, 0 if none is known. */
    long leaderTerm(int shard) {
        return shards.queues().get(shard).leaderTerm();
    }

    void submit(PendingRequest request) {
        Shards known = shards;
        boolean taken = known.areKnown() ? known.of(request).submit(request) : submitEarly(request);
        if (!taken) {
            LateAnswers answers = new LateAnswers();
            answers.refuse(request, GroupError.COORDINATOR_NOT_AVAILABLE, "The gateway has too many requests.");
            answers.give();
        }
    }

    private synchronized boolean submitEarly(PendingRequest request) {
        if (shards.areKnown()) {
            return shards.of(request).submit(request);
        }
        return !closed && early.size() < MOST_EARLY && early.add(request);
    }

    /** @param maxInFlight how many requests of the session may be unanswered */
    void opened(NodeSession session, int count, int maxInFlight) {
        traffic.put(session, new SessionTraffic(session, maxInFlight));
        synchronized (this) {
            if (!closed && count > shards.queues().size()) {
                List<ShardQueue> queues = new ArrayList<>(shards.queues());
                while (queues.size() < count) {
                    queues.add(new ShardQueue());
                }
                Shards known = new Shards(List.copyOf(queues), new ShardRouter(count));
                early.forEach(request -> known.of(request).submit(request));
                early.clear();
                shards = known;
            }
        }
    }

    void leadership(NodeSession session, ShardLeadership news) {
        SessionTraffic its = traffic.get(session);
        Shards known = shards;
        if (its == null || news.shard() < 0 || news.shard() >= known.queues().size()) {
            return;
        }
        LateAnswers answers = new LateAnswers();
        learn(its, news, known, answers);
        known.queues().get(news.shard()).sendWaiting();
        answers.give();
    }

    void answered(NodeSession session, long number, CoordinatorAnswer answer) {
        SessionTraffic its = traffic.get(session);
        PendingRequest request = its == null ? null : its.remove(number);
        if (its == null || request == null) {
            return;
        }
        if (answer instanceof CoordinatorAnswer.NotLeader other) {
            LateAnswers answers = new LateAnswers();
            learn(its, other.leadership(), shards, answers);
            if (!shards.of(request).submitAgain(request)) {
                answers.refuse(request, GroupError.COORDINATOR_NOT_AVAILABLE, CLOSED);
            }
            answers.give();
        } else {
            request.answer().accept(answer);
        }
        sendWaiting(its);
    }

    void readyAgain(NodeSession session) {
        SessionTraffic its = traffic.get(session);
        if (its != null) {
            sendWaiting(its);
        }
    }

    private void sendWaiting(SessionTraffic its) {
        for (ShardQueue queue : shards.queues()) {
            if (queue.anyWaits() && queue.goesTo(its)) {
                queue.sendWaiting();
            }
        }
    }

    void closed(NodeSession session) {
        SessionTraffic its = traffic.remove(session);
        if (its == null) {
            return;
        }
        shards.queues().forEach(queue -> queue.closed(its));
        LateAnswers answers = new LateAnswers();
        its.all().forEach(request -> abandon(its, request, answers));
        answers.give();
    }

    /** Refuses what waits, and whatever comes from now on; what was sent is answered as its session ends. */
    void close() {
        LateAnswers answers = new LateAnswers();
        synchronized (this) {
            closed = true;
            early.forEach(request -> answers.refuse(request, GroupError.COORDINATOR_NOT_AVAILABLE, CLOSED));
            early.clear();
            for (ShardQueue queue : shards.queues()) {
                queue.close().forEach(request -> answers.refuse(request, GroupError.COORDINATOR_NOT_AVAILABLE, CLOSED));
            }
        }
        answers.give();
    }

    /** Answers what has waited too long. */
    void expire(long nowNanos) {
        LateAnswers answers = new LateAnswers();
        synchronized (this) {
            early.removeIf(request -> {
                boolean over = nowNanos - request.waitUntilNanos() >= 0;
                if (over) {
                    answers.refuse(request, GroupError.COORDINATOR_NOT_AVAILABLE, "No node can be reached.");
                }
                return over;
            });
        }
        shards.queues().forEach(queue -> queue.expire(nowNanos, answers));
        for (SessionTraffic its : traffic.values()) {
            for (PendingRequest request : its.all()) {
                if (nowNanos - request.answerUntilNanos() >= 0) {
                    abandon(its, request, answers);
                }
            }
        }
        answers.give();
    }

    /** What was sent to a leader that is none any more has an unknown outcome, even if that node never says another word. */
    private void learn(SessionTraffic from, ShardLeadership news, Shards known, LateAnswers answers) {
        if (news.shard() < 0 || news.shard() >= known.queues().size()) {
            return;
        }
        SessionTraffic replaced = known.queues().get(news.shard()).learn(from, news);
        if (replaced != null) {
            for (PendingRequest request : replaced.all()) {
                if (known.shardOf(request) == news.shard()) {
                    abandon(replaced, request, answers);
                }
            }
        }
    }

    private static void abandon(SessionTraffic its, PendingRequest request, LateAnswers answers) {
        if (its.remove(request.number()) != null) {
            answers.unknown(request);
        }
    }
}
