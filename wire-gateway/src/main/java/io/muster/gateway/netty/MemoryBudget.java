package io.muster.gateway.netty;

import io.netty.util.concurrent.EventExecutor;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of memory that all connections of a gateway share. A connection that finds no room waits for it: those first whose frames
 * are smaller by the owner's measure, then who came first. While one waits somebody is called from time to time to make room. Memory counts until it is given back. Any thread.
 */
final class MemoryBudget {
    private static final long LOOK_MILLIS = 250;

    private final long limitBytes;
    private final LongSupplier nanoClock;
    private final Shortage shortage;
    private final NavigableSet<Share> waiting =
            new TreeSet<>(Comparator.comparingLong((Share one) -> one.rank).thenComparingLong(one -> one.number));
    private long numbers;
    private long usedBytes;
    /** What shares have taken of it. */
    private long takenBytes;

    private boolean looking;

    /** Is called when a share begins to wait, and every 250 ms while one waits. */
    interface Shortage {
        /** @param waitedNanos how long the share has waited that waits for longest */
        void makeRoom(long waitedNanos);
    }

    MemoryBudget(long limitBytes, LongSupplier nanoClock, Shortage shortage) {
        this.limitBytes = limitBytes;
        this.nanoClock = nanoClock;
        this.shortage = shortage;
    }

    long limitBytes() {
        return limitBytes;
    }

    long nanoTime() {
        return nanoClock.getAsLong();
    }

    synchronized long usedBytes() {
        return usedBytes;
    }

    /** How much is missing for the first that waits, or at all, bytes; not positive if nothing is. */
    synchronized long missingBytes() {
        Share first = first();
        return usedBytes + (first == null ? 0 : first.wanted) - limitBytes;
    }

    /** The bytes that the first that waits wants; 0 if none waits. */
    synchronized long wantedBytes() {
        Share first = first();
        return first == null ? 0 : first.wanted;
    }

    synchronized boolean isFirst(Share share) {
        return first() == share;
    }

    private @Nullable Share first() {
        return waiting.isEmpty() ? null : waiting.first();
    }

    /** Counts bytes that are held without having been asked for, or are not held any more if negative. */
    synchronized void add(long bytes) {
        usedBytes += bytes;
        if (bytes < 0) {
            grant();
        }
    }

    /** Gives back what a share has taken. */
    synchronized void giveBack(int bytes) {
        usedBytes -= bytes;
        takenBytes -= bytes;
        grant();
    }

    private void reserve(int bytes) {
        usedBytes += bytes;
        takenBytes += bytes;
    }

    private synchronized boolean reserveOrWait(Share share, int bytes) {
        if (waiting.lower(share) == null && fits(bytes)) {
            reserve(bytes);
            return true;
        }
        share.wanted = bytes;
        share.sinceNanos = nanoClock.getAsLong();
        share.waits = true;
        waiting.add(share);
        return false;
    }

    /** Who asks for more than there is waits only for the others who asked. */
    private boolean fits(int bytes) {
        return usedBytes + bytes <= limitBytes || (bytes > limitBytes && takenBytes == 0);
    }

    private void grant() {
        for (Share first = first(); first != null && fits(first.wanted); first = first()) {
            waiting.remove(first);
            first.waits = false;
            reserve(first.wanted);
            first.granted(first.wanted);
        }
    }

    private synchronized void cancel(Share share) {
        if (share.waits) {
            waiting.remove(share);
            share.waits = false;
            grant();
        }
    }

    private void makeRoom() {
        shortage.makeRoom(longestWaitNanos());
        synchronized (this) {
            if (!looking && !waiting.isEmpty()) {
                looking = true;
                scheduleLook(waiting.first().loop);
            }
        }
    }

    private synchronized long longestWaitNanos() {
        long now = nanoClock.getAsLong();
        return waiting.stream().mapToLong(one -> now - one.sinceNanos).max().orElse(0);
    }

    private void scheduleLook(EventExecutor loop) {
        var unused = loop.schedule(
                () -> {
                    synchronized (this) {
                        looking = false;
                    }
                    if (missingBytes() > 0) {
                        makeRoom();
                    }
                },
                LOOK_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /** What one connection takes. Used on its event loop only. */
    final class Share {
        private final EventExecutor loop;
        private volatile boolean waits;
        private long rank;
        private long number;
        private int wanted;
        private long sinceNanos;
        private int granted;
        private boolean closed;
        private @Nullable Runnable whenRoom;

        Share(EventExecutor loop) {
            this.loop = loop;
        }

        /** Whether it waits for room. Any thread. */
        boolean waits() {
            return waits;
        }

        /** A frame begins; those of a lower rank, then the earlier ones, go first. */
        void begin(long frameRank) {
            synchronized (MemoryBudget.this) {
                if (!waits) {
                    rank = frameRank;
                    number = numbers++;
                }
            }
        }

        /**
         * Takes this many bytes, to be given back, if there is room.
         *
         * @param later runs on the event loop once there is room if there is none now; then the same is to be asked again
         */
        boolean take(int bytes, Runnable later) {
            if (granted == bytes) {
                granted = 0;
                return true;
            }
            giveBackGranted();
            whenRoom = later;
            if (reserveOrWait(this, bytes)) {
                whenRoom = null;
                return true;
            }
            makeRoom();
            return false;
        }

        /** It takes nothing any more, nor waits for it. */
        void close() {
            closed = true;
            whenRoom = null;
            cancel(this);
            giveBackGranted();
        }

        private void granted(int bytes) {
            loop.execute(() -> {
                granted = bytes;
                Runnable next = whenRoom;
                whenRoom = null;
                if (closed || next == null) {
                    giveBackGranted();
                } else {
                    next.run();
                }
            });
        }

        private void giveBackGranted() {
            if (granted > 0) {
                giveBack(granted);
                granted = 0;
            }
        }
    }
}
