package io.muster.gateway.netty;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets responses out in the order of the requests. Used on one event loop only.
 *
 * <p>A response that was ready for too long behind others may be replaced by another, since it may not be true any more.
 */
final class ResponseOrderer {
    private final Deque<Slot> slots = new ArrayDeque<>();
    private final Consumer<ByteBuf> out;
    private final LongSupplier nanoClock;
    private final long lateNanos;
    private final Behind behind;
    private boolean closed;

    /** Takes note of responses that are ready and wait for those before them. */
    interface Behind {
        void ready(ByteBuf response);

        /** It is let out, or dropped. */
        void goes(ByteBuf response);
    }

    /** @param lateNanos how long a response may be ready before it counts as late */
    ResponseOrderer(Consumer<ByteBuf> out, LongSupplier nanoClock, long lateNanos, Behind behind) {
        this.out = out;
        this.nanoClock = nanoClock;
        this.lateNanos = lateNanos;
        this.behind = behind;
    }

    /** The place of the next request's response. */
    Slot next() {
        Slot slot = new Slot();
        slots.add(slot);
        return slot;
    }

    /** Requests whose responses were not let out yet. */
    int inFlight() {
        return slots.size();
    }

    /** Drops all responses, also those that are still to come. */
    void close() {
        closed = true;
        slots.forEach(Slot::drop);
        slots.clear();
    }

    private void letOut() {
        for (Slot first = slots.peek(); first != null && first.frame != null; first = slots.peek()) {
            slots.remove();
            first.letOut();
        }
    }

    /** One request's place. */
    final class Slot {
        private @Nullable ByteBuf frame;
        private Optional<Supplier<ByteBuf>> whenLate = Optional.empty();
        private long readyNanos;
        private boolean waited;

        /**
         * Takes the response frame, which is released or let out.
         *
         * @param replacement what to let out instead if it gets late
         */
        void complete(ByteBuf response, Optional<Supplier<ByteBuf>> replacement) {
            if (closed) {
                response.release();
                return;
            }
            frame = response;
            whenLate = replacement;
            readyNanos = nanoClock.getAsLong();
            waited = slots.peek() != this;
            if (waited) {
                behind.ready(response);
            } else {
                ResponseOrderer.this.letOut();
            }
        }

        private void letOut() {
            ByteBuf ready = frame;
            if (ready == null) {
                return;
            }
            goes(ready);
            boolean late = whenLate.isPresent() && nanoClock.getAsLong() - readyNanos > lateNanos;
            out.accept(late ? replaced(ready, whenLate.get()) : ready);
        }

        private ByteBuf replaced(ByteBuf response, Supplier<ByteBuf> replacement) {
            try {
                return replacement.get();
            } finally {
                response.release();
            }
        }

        private void drop() {
            ByteBuf ready = frame;
            if (ready != null) {
                goes(ready);
                ready.release();
            }
        }

        private void goes(ByteBuf ready) {
            frame = null;
            if (waited) {
                behind.goes(ready);
            }
        }
    }
}
