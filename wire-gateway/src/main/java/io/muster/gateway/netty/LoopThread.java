package io.muster.gateway.netty;

import io.muster.gateway.kafka.order.ConnectionThread;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A connection's event loop. */
record LoopThread(EventLoop loop) implements ConnectionThread {
    @Override
    public Runnable schedule(Duration delay, Runnable task) {
        var scheduled = loop.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void execute(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }
}
