package io.muster.gateway.upstream;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A bounded number of threads, each with a session of its own. What finds none free waits its turn; a thread that has had nothing to
 * do for a while ends, and its session with it.
 */
final class SessionPool implements AutoCloseable {
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final Supplier<BrokerSession> opening;
    private final ThreadPoolExecutor threads;
    private final Map<Thread, BrokerSession> sessions = new ConcurrentHashMap<>();

    SessionPool(UpstreamConfig config, String name, int size) {
        this(() -> new BrokerSession(config), name, size, IDLE);
    }

    /**
     * @param opening makes a session, on the thread that uses it
     * @param idle how long a thread keeps its session without work
     */
    SessionPool(Supplier<BrokerSession> opening, String name, int size, Duration idle) {
        this.opening = opening;
        ThreadFactory factory = UpstreamClaimExecutor.threads(name);
        this.threads = new ThreadPoolExecutor(
                size,
                size,
                idle.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                work -> factory.newThread(() -> untilItsEnd(work)));
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs a task on one of the threads.
     *
     * @param failed called on that thread if there is no session to be had, or the task threw
     * @throws java.util.concurrent.RejectedExecutionException once this is closed
     */
    void execute(Consumer<BrokerSession> task, Consumer<RuntimeException> failed) {
        threads.execute(() -> {
            try {
                task.accept(sessions.computeIfAbsent(Thread.currentThread(), thread -> opening.get()));
            } catch (RuntimeException e) {
                failed.accept(e);
            }
        });
    }

    /** Number of sessions that are open. */
    int openSessions() {
        return sessions.size();
    }

    @Override
    public void close() {
        threads.shutdown();
        sessions.values().forEach(BrokerSession::interrupt);
        UpstreamClaimExecutor.ends(threads);
    }

    private void untilItsEnd(Runnable work) {
        try {
            work.run();
        } finally {
            BrokerSession own = sessions.remove(Thread.currentThread());
            if (own != null) {
                own.close();
            }
        }
    }
}
