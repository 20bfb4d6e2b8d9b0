package io.muster.gateway.upstream;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A bounded number of threads, each with a session of its own while it works. What finds none free waits its turn. */
final class SessionPool implements AutoCloseable {
    private static final long IDLE_SECONDS = 30;

    private final UpstreamConfig config;
    private final ThreadPoolExecutor threads;
    private final ConcurrentLinkedDeque<BrokerSession> free = new ConcurrentLinkedDeque<>();
    private final Set<BrokerSession> all = ConcurrentHashMap.newKeySet();

    SessionPool(UpstreamConfig config, String name, int size) {
        this.config = config;
        this.threads = new ThreadPoolExecutor(
                size,
                size,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                UpstreamClaimExecutor.threads(name));
        threads.allowCoreThreadTimeOut(true);
    }

    void execute(Consumer<BrokerSession> task) {
        threads.execute(() -> {
            BrokerSession session = take();
            try {
                task.accept(session);
            } finally {
                free.push(session);
            }
        });
    }

    @Override
    public void close() {
        threads.shutdown();
        all.forEach(BrokerSession::interrupt);
        if (UpstreamClaimExecutor.ends(threads)) {
            all.forEach(BrokerSession::close);
        }
    }

    private BrokerSession take() {
        BrokerSession session = free.poll();
        if (session == null) {
            session = new BrokerSession(config);
            all.add(session);
        }
        return session;
    }
}
