package io.muster.gateway.netty;

import io.muster.gateway.kafka.api.ApiRegistry;
import io.netty.channel.Channel;
import java.util.Set;
import java.util.stream.Collectors;

/** What the requests and replies of clients may take, each and in all. */
record ClientFrames(ConnectionLimits limits, RequestMemory requests, ReplyMemory replies) {
    /** A bare token of an authentication may be empty. */
    private static final int LEAST_BYTES = 0;

    /** One client's replies may take this part of the memory for them. */
    private static final int REPLY_MEMORY_PARTS = 4;

    private static final Set<Short> GROUP_REQUESTS =
            ApiRegistry.groupRequests().stream().map(api -> api.id).collect(Collectors.toUnmodifiableSet());

    KafkaFrameDecoder requestsOf(Channel client) {
        return new KafkaFrameDecoder(
                new FrameLimits(LEAST_BYTES, limits.requestBytes(), GROUP_REQUESTS, limits.groupRequestBytes()),
                requests.of(client));
    }

    UntakenReplies repliesTo(Channel client) {
        return new UntakenReplies(client, replies, limits.replyMemoryBytes() / REPLY_MEMORY_PARTS);
    }
}
