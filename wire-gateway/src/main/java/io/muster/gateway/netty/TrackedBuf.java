package io.muster.gateway.netty;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledUnsafeDirectByteBuf;
import java.util.function.IntConsumer;

/** A buffer of one large frame that says when the last one has released it. */
final class TrackedBuf extends UnpooledUnsafeDirectByteBuf {
    private final IntConsumer freed;

    /** @param freed takes all the bytes that the buffer had; any thread */
    TrackedBuf(int capacity, int maxCapacity, IntConsumer freed) {
        super(UnpooledByteBufAllocator.DEFAULT, capacity, maxCapacity);
        this.freed = freed;
    }

    @Override
    protected void deallocate() {
        int capacity = capacity();
        super.deallocate();
        freed.accept(capacity);
    }
}
