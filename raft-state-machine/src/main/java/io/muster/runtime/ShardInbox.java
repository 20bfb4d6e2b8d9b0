package io.muster.runtime;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries tasks from any thread to the shard's, and runs all that have come in one go. */
final class ShardInbox {
    private static final Logger LOG = LoggerFactory.getLogger(ShardInbox.class);

    private final int shard;
    private final TimerService service;
    private final ShardCounters counters;
    private final Runnable afterTasks;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    /** @param afterTasks what the shard does once the tasks that came together are run */
    ShardInbox(int shard, TimerService service, ShardCounters counters, Runnable afterTasks) {
        this.shard = shard;
        this.service = service;
        this.counters = counters;
        this.afterTasks = afterTasks;
    }

    void put(Runnable task) {
        tasks.add(task);
        if (scheduled.compareAndSet(false, true)) {
            service.execute(this::drain);
        }
    }

    /** Has the shard do what it does after tasks, though there are none. */
    void wakeUp() {
        put(() -> {});
    }

    private void drain() {
        scheduled.set(false);
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            runSafely(task);
        }
        runSafely(afterTasks);
    }

    /** A task that fails must not take the tasks after it along. */
    void runSafely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            counters.failed();
            LOG.atError().addKeyValue("shard", shard).setCause(e).log("a task of the shard's leader failed");
        }
    }
}
