package io.muster.gateway.coordinator;

import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.ShardRouter;
import io.muster.wire.ResponseCodec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which stream each request goes to. A request is sent again only when the node said that it did nothing with it, or when it was
 * never sent: all else has an unknown outcome and is answered so. Requests of one group keep their order.
 */
final class ShardRouting {
    private static final int MAX_OUTSTANDING = 100_000;

    private final Map<Integer, Route> routes = new HashMap<>();
    private final SortedMap<Long, PendingRequest> waiting = new TreeMap<>();
    private final Map<NodeStream, Traffic> traffic = new HashMap<>();
    private int shards;

    private record Route(long term, NodeStream leader) {}

    /** What goes over one stream: sent and not answered, and what waits for room. */
    private static final class Traffic {
        private final LinkedHashMap<Long, PendingRequest> inFlight = new LinkedHashMap<>();
        private final ArrayDeque<PendingRequest> backlog = new ArrayDeque<>();
        private final int maxInFlight;

        Traffic(int maxInFlight) {
            this.maxInFlight = maxInFlight;
        }
    }

    /** Number of shards, 0 until a node was reached. */
    synchronized int shards() {
        return shards;
    }

    /** Whether the shard of this group has a leader to which a stream is open; false until a node was reached. */
    synchronized boolean hasLeader(String groupId) {
        return shards > 0 && routes.containsKey(new ShardRouter(shards).shardOf(groupId));
    }

    void submit(PendingRequest request) {
        Answers answers = new Answers();
        synchronized (this) {
            if (waiting.size() > MAX_OUTSTANDING) {
                answers.refuse(request, GroupError.COORDINATOR_NOT_AVAILABLE, "The gateway has too many requests.");
            } else {
                waiting.put(request.number(), request);
                sendWaiting();
            }
        }
        answers.give();
    }

    void opened(NodeStream stream, Wire.Welcome welcome) {
        synchronized (this) {
            shards = welcome.getCluster().getShards();
            traffic.put(stream, new Traffic(welcome.getMaxInFlight()));
        }
    }

    void leadership(NodeStream stream, Wire.Leadership news) {
        Answers answers = new Answers();
        synchronized (this) {
            learn(stream, news, answers);
            sendWaiting();
        }
        answers.give();
    }

    void replied(NodeStream stream, Wire.Reply reply) {
        Answers answers = new Answers();
        synchronized (this) {
            Traffic its = traffic.get(stream);
            PendingRequest request = its == null ? null : its.inFlight.remove(reply.getCorrelationId());
            if (its == null || request == null) {
                return;
            }
            if (reply.getAnswerCase() == Wire.Reply.AnswerCase.NOT_LEADER) {
                learn(stream, reply.getNotLeader(), answers);
                waiting.put(request.number(), request);
                sendWaiting();
            } else {
                answers.add(request, reply);
            }
            sendBacklog(stream, its);
        }
        answers.give();
    }

    void readyAgain(NodeStream stream) {
        synchronized (this) {
            Traffic its = traffic.get(stream);
            if (its != null) {
                sendBacklog(stream, its);
            }
        }
    }

    void closed(NodeStream stream) {
        Answers answers = new Answers();
        synchronized (this) {
            routes.values().removeIf(route -> route.leader() == stream);
            Traffic its = traffic.remove(stream);
            if (its != null) {
                its.backlog.forEach(request -> waiting.put(request.number(), request));
                its.inFlight.values().forEach(answers::unknown);
                sendWaiting();
            }
        }
        answers.give();
    }

    /** Answers what has waited too long. */
    void expire(long nowNanos) {
        Answers answers = new Answers();
        synchronized (this) {
            waiting.values().removeIf(request -> {
                boolean over = nowNanos - request.waitUntilNanos() >= 0;
                if (over) {
                    answers.refuse(request, GroupError.COORDINATOR_NOT_AVAILABLE, "The group's shard has no leader.");
                }
                return over;
            });
            traffic.values().forEach(its -> expire(its, nowNanos, answers));
        }
        answers.give();
    }

    private static void expire(Traffic its, long nowNanos, Answers answers) {
        Iterator<PendingRequest> oldestFirst = its.inFlight.values().iterator();
        while (oldestFirst.hasNext()) {
            PendingRequest request = oldestFirst.next();
            if (nowNanos - request.answerUntilNanos() < 0) {
                break;
            }
            oldestFirst.remove();
            answers.unknown(request);
        }
        its.backlog.removeIf(request -> {
            boolean over = nowNanos - request.answerUntilNanos() >= 0;
            if (over) {
                answers.refuse(request, GroupError.COORDINATOR_NOT_AVAILABLE, "The node is too busy.");
            }
            return over;
        });
    }

    private void learn(NodeStream stream, Wire.Leadership news, Answers answers) {
        Route known = routes.get(news.getShard());
        if (news.getHere()) {
            if (known == null || news.getTerm() >= known.term()) {
                routes.put(news.getShard(), new Route(news.getTerm(), stream));
                abandon(known, stream, news.getShard(), answers);
            }
            return;
        }
        if (known == null) {
            return;
        }
        boolean steppedDown = known.leader() == stream && news.getTerm() >= known.term();
        boolean succeeded = news.getTerm() > known.term()
                && !news.getLeaderId().isEmpty()
                && !news.getLeaderId().equals(known.leader().nodeId());
        if (steppedDown || succeeded) {
            routes.remove(news.getShard());
        }
    }

    /** What was sent to a leader that is none any more has an unknown outcome, even if that node never says another word. */
    private void abandon(@Nullable Route old, NodeStream successor, int shard, Answers answers) {
        Traffic its = old == null || old.leader() == successor ? null : traffic.get(old.leader());
        if (its == null) {
            return;
        }
        its.inFlight.values().removeIf(request -> {
            boolean concerned = shardOf(request) == shard;
            if (concerned) {
                answers.unknown(request);
            }
            return concerned;
        });
        its.backlog.removeIf(request -> {
            boolean concerned = shardOf(request) == shard;
            if (concerned) {
                waiting.put(request.number(), request);
            }
            return concerned;
        });
    }

    private int shardOf(PendingRequest request) {
        return request.request().hasListShard()
                ? request.request().getListShard()
                : new ShardRouter(shards).shardOf(request.groupId());
    }

    private void sendWaiting() {
        if (routes.isEmpty()) {
            return;
        }
        Iterator<PendingRequest> inOrder = waiting.values().iterator();
        while (inOrder.hasNext()) {
            PendingRequest request = inOrder.next();
            Route route = routes.get(shardOf(request));
            Traffic its = route == null ? null : traffic.get(route.leader());
            if (route != null && its != null) {
                inOrder.remove();
                its.backlog.add(request);
                sendBacklog(route.leader(), its);
            }
        }
    }

    private static void sendBacklog(NodeStream stream, Traffic its) {
        while (!its.backlog.isEmpty() && its.inFlight.size() < its.maxInFlight && stream.isReady()) {
            PendingRequest request = its.backlog.remove();
            its.inFlight.put(request.number(), request);
            stream.send(
                    Wire.GatewayFrame.newBuilder().setRequest(request.request()).build());
        }
    }

    /** Answers that are given after the lock is let go. */
    private static final class Answers {
        private final List<Runnable> answers = new ArrayList<>();

        void add(PendingRequest request, Wire.Reply reply) {
            answers.add(() -> request.answer().complete(reply));
        }

        void refuse(PendingRequest request, GroupError error, String message) {
            add(
                    request,
                    Wire.Reply.newBuilder()
                            .setResponse(ResponseCodec.encode(new Response.Refused(error, message)))
                            .build());
        }

        void unknown(PendingRequest request) {
            refuse(request, GroupError.NOT_COORDINATOR, "The leader of the group's shard was lost.");
        }

        void give() {
            answers.forEach(Runnable::run);
        }
    }
}
