package io.muster.gateway.kafka.order;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The requests of one connection, which begin and end as a test says. */
final class ScriptedRequests {
    static final Duration HEARTBEATS = Duration.ofSeconds(5);
    static final Duration OTHERS = Duration.ofSeconds(25);

    private final VirtualThread thread = new VirtualThread();
    private final RequestOrder order = new RequestOrder(thread, HEARTBEATS, () -> {});
    private final List<String> begun = new ArrayList<>();
    private final List<String> late = new ArrayList<>();
    private final Map<String, CompletableFuture<Void>> underWay = new TreeMap<>();

    RequestOrder order() {
        return order;
    }

    VirtualThread thread() {
        return thread;
    }

    /** Those that have begun, in order. */
    List<String> begun() {
        return begun;
    }

    /** Those that have begun although their turn did not come. */
    List<String> late() {
        return late;
    }

    void advance(Duration time) {
        thread.advance(time);
    }

    void enter(String name, Concern concern) {
        enter(name, concern, OTHERS);
    }

    void enter(String name, Concern concern, Duration patience) {
        order.enter(concern, thread.nanoTime() + patience.toNanos(), new Scripted(name, false));
    }

    /** One that goes upstream as it is. */
    void pass(String name, Concern concern) {
        order.enter(concern, deadlineNanos(), new Scripted(name, true));
    }

    void enterDoneAtOnce(String name, Concern concern) {
        order.enter(concern, deadlineNanos(), new DoneAtOnce(name));
    }

    void done(String name) {
        underWay.get(name).complete(null);
    }

    void fail(String name) {
        underWay.get(name).completeExceptionally(new IllegalStateException("the connection broke"));
    }

    /** Of a request that arrives now. */
    long deadlineNanos() {
        return thread.nanoTime() + OTHERS.toNanos();
    }

    static Concern join(String group, String member) {
        return Concern.heartbeat(group, member, null, 0, true);
    }

    static Concern alive(String group, String member) {
        return Concern.heartbeat(group, member, null, 3, false);
    }

    static Concern leave(String group, String member) {
        return Concern.heartbeat(group, member, null, -1, false);
    }

    static Concern commit(String group) {
        return Concern.of(Concern.Kind.COMMIT, group, false);
    }

    /** Under way until the test says that it is done. */
    private final class Scripted implements RequestOrder.Request {
        private final String name;
        private final boolean passes;

        Scripted(String name, boolean passes) {
            this.name = name;
            this.passes = passes;
        }

        @Override
        public RequestOrder.Begun begin() {
            begun.add(name);
            CompletableFuture<Void> done = new CompletableFuture<>();
            underWay.put(name, done);
            return new RequestOrder.Begun(passes, done);
        }

        @Override
        public RequestOrder.Begun beginLate() {
            late.add(name);
            return begin();
        }
    }

    /** Done as soon as it begins. */
    private final class DoneAtOnce implements RequestOrder.Request {
        private final String name;

        DoneAtOnce(String name) {
            this.name = name;
        }

        @Override
        public RequestOrder.Begun begin() {
            begun.add(name);
            return new RequestOrder.Begun(false, CompletableFuture.completedFuture(null));
        }

        @Override
        public RequestOrder.Begun beginLate() {
            return begin();
        }
    }
}
