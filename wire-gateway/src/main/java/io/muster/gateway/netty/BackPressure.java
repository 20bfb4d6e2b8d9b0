package io.muster.gateway.netty;

import io.netty.channel.Channel;

/** Reads from a client only while upstream takes more and not too many of its requests are unanswered. */
final class BackPressure {
    private final Channel client;
    private final int maxInFlight;
    private boolean upstreamWritable = true;
    private boolean full;

    BackPressure(Channel client, int maxInFlight) {
        this.client = client;
        this.maxInFlight = maxInFlight;
    }

    void upstreamWritable(boolean writable) {
        upstreamWritable = writable;
        apply();
    }

    /** Full at the limit, and until half of it is answered. */
    void inFlight(int requests) {
        full = full ? requests > maxInFlight / 2 : requests >= maxInFlight;
        apply();
    }

    private void apply() {
        boolean read = upstreamWritable && !full;
        if (client.config().isAutoRead() != read) {
            client.config().setAutoRead(read);
        }
    }
}
