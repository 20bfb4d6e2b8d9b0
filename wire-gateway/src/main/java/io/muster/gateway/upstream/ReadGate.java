package io.muster.gateway.upstream;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.EnumSet;
import java.util.Set;

/** Whether a channel is read: while nobody has a reason against it. On the channel's event loop only. */
public final class ReadGate {
    private static final AttributeKey<ReadGate> KEY = AttributeKey.valueOf(ReadGate.class, "gate");

    private final Channel channel;
    private final Set<PauseReason> reasons = EnumSet.noneOf(PauseReason.class);
    private long closedSinceNanos;
    private long closedNanos;

    /** Why a channel is not read. */
    public enum PauseReason {
        /** Upstream does not take what the client sends. */
        UPSTREAM_FULL,
        /** Too many requests have no answer yet. */
        TOO_MANY_REQUESTS,
        /** The client does not take its replies. */
        REPLIES_UNREAD,
        /** There is no memory for the next frame. */
        NO_MEMORY,
        /** It had its share of the event loop for now. */
        OTHERS_TURN
    }

    private ReadGate(Channel channel) {
        this.channel = channel;
    }

    /** The channel's gate, open at first. */
    public static ReadGate of(Channel channel) {
        ReadGate gate = channel.attr(KEY).get();
        if (gate == null) {
            gate = new ReadGate(channel);
            channel.attr(KEY).set(gate);
        }
        return gate;
    }

    /** Closes the gate for this reason, or takes the reason away. */
    public void close(PauseReason reason, boolean closed) {
        boolean before = isOpen();
        if (closed) {
            reasons.add(reason);
        } else {
            reasons.remove(reason);
        }
        if (isOpen() != before) {
            turn();
        }
    }

    public boolean isOpen() {
        return reasons.isEmpty();
    }

    /** How long the gate was closed until now, all in all, nanoseconds. */
    public long closedNanos() {
        return isOpen() ? closedNanos : closedNanos + System.nanoTime() - closedSinceNanos;
    }

    private void turn() {
        if (isOpen()) {
            closedNanos += System.nanoTime() - closedSinceNanos;
        } else {
            closedSinceNanos = System.nanoTime();
        }
        channel.config().setAutoRead(isOpen());
    }
}
