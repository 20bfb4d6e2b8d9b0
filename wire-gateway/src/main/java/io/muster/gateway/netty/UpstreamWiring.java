package io.muster.gateway.netty;

import io.muster.gateway.upstream.ClientUpstreamConnection;
import io.muster.gateway.upstream.HostNames;
import io.netty.channel.EventLoop;

/** How connections to upstream's brokers are made. */
record UpstreamWiring(Transport transport, HostNames names, ReplyMemory replies) {
    /** A bare token of an authentication may be empty. */
    private static final int LEAST_BYTES = 0;

    /** Half of what an int holds; upstream is trusted not to answer more than was asked for. */
    private static final int MOST_BYTES = Integer.MAX_VALUE / 2;

    ClientUpstreamConnection.Wiring on(EventLoop loop) {
        return new ClientUpstreamConnection.Wiring(
                loop,
                transport.clientType(),
                names,
                () -> new KafkaFrameDecoder(FrameLimits.of(LEAST_BYTES, MOST_BYTES), replies.of(loop)));
    }
}
