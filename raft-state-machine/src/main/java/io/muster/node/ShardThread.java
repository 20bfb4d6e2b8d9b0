package io.muster.node;

import io.muster.raft.FatalHandler;
import io.muster.rpc.DaemonThreads;
import io.muster.runtime.TimerService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that decides for a shard. What fails in it unexpectedly stops the process: its state could be wrong. */
final class ShardThread implements TimerService, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardThread.class);

    private final ScheduledThreadPoolExecutor thread;
    private final ExecutorService aside;
    private final ScheduledExecutorService ticker;
    private final FatalHandler fatalHandler;

    /**
     * @param aside for scans; shared by the shards
     * @param ticker for what is short and must not be late; shared by the shards
     */
    ShardThread(int shard, ExecutorService aside, ScheduledExecutorService ticker, FatalHandler fatalHandler) {
        this.thread = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("shard-" + shard));
        this.thread.setRemoveOnCancelPolicy(true);
        this.aside = aside;
        this.ticker = ticker;
        this.fatalHandler = fatalHandler;
    }

    @Override
    public void execute(Runnable task) {
        unlessStopped(() -> thread.execute(guarded(task)));
    }

    @Override
    public void schedule(Runnable task, long delayMillis) {
        unlessStopped(() -> {
            var unused = thread.schedule(guarded(task), delayMillis, TimeUnit.MILLISECONDS);
        });
    }

    @Override
    public void scheduleAside(Runnable task, long delayMillis) {
        unlessStopped(() -> {
            var unused = ticker.schedule(guarded(task), delayMillis, TimeUnit.MILLISECONDS);
        });
    }

    @Override
    public void executeAside(Runnable task) {
        unlessStopped(() -> aside.execute(guarded(task)));
    }

    private static void unlessStopped(Runnable handOver) {
        try {
            handOver.run();
        } catch (RejectedExecutionException e) {
            LOG.debug("the node has stopped", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                fatalHandler.fatal("a decision failed", e);
            }
        };
    }
}
