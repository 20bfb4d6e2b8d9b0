package io.muster.rpc;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What many threads have for one stream. The stream's thread sends it as soon as it gets to it, and all that has come meanwhile at
 * once: the busier the stream, the fewer its frames.
 */
public final class SendQueue<T> {
    private final Queue<T> items = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final Executor thread;
    private final Runnable sendAll;

    /** @param sendAll {@linkplain #poll takes} all that is there, and sends it */
    public SendQueue(Executor thread, Runnable sendAll) {
        this.thread = thread;
        this.sendAll = sendAll;
    }

    /** Has an item sent soon. Any thread; an item that one thread adds before another is sent before it. */
    public void add(T item) {
        items.add(item);
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            thread.execute(this::run);
        }
    }

    private void run() {
        scheduled.set(false);
        sendAll.run();
    }

    /** Takes the next item to be sent; null if there is none. One thread at a time. */
    public @Nullable T poll() {
        return items.poll();
    }
}
