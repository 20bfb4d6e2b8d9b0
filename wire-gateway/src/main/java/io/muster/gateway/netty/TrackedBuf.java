package io.muster.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledUnsafeDirectByteBuf;

/** A buffer of one large frame that tells how much memory it takes, until the last one lets go of it. */
final class TrackedBuf extends UnpooledUnsafeDirectByteBuf {
    private final Tracker tracker;

    /** Hears of a buffer's memory. Any thread. */
    interface Tracker {
        void grown(int bytes);

        /** @param capacity all that the buffer had, bytes */
        void freed(int capacity);
    }

    TrackedBuf(int capacity, int maxCapacity, Tracker tracker) {
        super(UnpooledByteBufAllocator.DEFAULT, capacity, maxCapacity);
        this.tracker = tracker;
        tracker.grown(capacity);
    }

    @Override
    public ByteBuf capacity(int newCapacity) {
        int before = capacity();
        super.capacity(newCapacity);
        if (newCapacity > before) {
            tracker.grown(newCapacity - before);
        }
        return this;
    }

    @Override
    protected void deallocate() {
        int capacity = capacity();
        super.deallocate();
        tracker.freed(capacity);
    }
}
