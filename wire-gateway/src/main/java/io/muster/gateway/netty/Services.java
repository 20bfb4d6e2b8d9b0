package io.muster.gateway.netty;

import io.muster.core.Command;
import io.muster.core.Response;
import io.muster.core.ShardTime;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ApiDispatcher;
import io.muster.gateway.kafka.UpstreamVersions;
import io.muster.gateway.kafka.VirtualBrokers;
import io.muster.gateway.kafka.api.ApiRegistry;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.offsets.GroupCoordinator;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import io.muster.gateway.kafka.offsets.TopicNames;
import io.muster.gateway.kafka.order.ConnectionThread;
import io.muster.gateway.upstream.BrokerPulse;
import io.muster.gateway.upstream.ClientUpstreamConnection;
import io.muster.gateway.upstream.HostNames;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * What the connections of a gateway share.
 *
 * @param anonymous whether upstream does not ask who a client is
 * @param abandoned counts connections whose requests were not finished in time after the client was gone
 * @param patience how long a reply waits for a silent broker
 * @param heartbeatPatience how long heartbeats wait for earlier requests of their connection
 */
record Services(
        GatewayConfig config,
        Transport transport,
        HostNames names,
        ApiDispatcher dispatcher,
        VirtualBrokers brokers,
        UpstreamVersions versions,
        Coordinator coordinator,
        TopicNames topicNames,
        boolean anonymous,
        LongAdder abandoned,
        BrokerPulse pulse,
        Duration patience,
        Duration heartbeatPatience,
        RequestMemory requestMemory,
        ReplyMemory replyMemory) {
    /** A bare token of an authentication may be empty. */
    private static final int LEAST_BYTES = 0;

    /** Half of what an int holds; upstream is trusted not to answer more than was asked for. */
    private static final int MOST_RESPONSE_BYTES = Integer.MAX_VALUE / 2;

    /** One client's replies may take this part of the memory for them. */
    private static final int REPLY_MEMORY_PARTS = 4;

    ClientUpstreamConnection.Wiring wiring(EventLoop loop) {
        return new ClientUpstreamConnection.Wiring(
                loop,
                transport.clientType(),
                names,
                () -> new KafkaFrameDecoder(FrameLimits.of(LEAST_BYTES, MOST_RESPONSE_BYTES), replyMemory.of(loop)));
    }

    KafkaFrameDecoder requests(Channel client) {
        ConnectionLimits limits = config.limits();
        return new KafkaFrameDecoder(
                new FrameLimits(
                        LEAST_BYTES,
                        limits.requestBytes(),
                        ApiRegistry.groupRequests().stream().map(api -> api.id).collect(Collectors.toSet()),
                        limits.groupRequestBytes()),
                requestMemory.of(client));
    }

    UntakenReplies replies(Channel client) {
        return new UntakenReplies(client, replyMemory, config.limits().replyMemoryBytes() / REPLY_MEMORY_PARTS);
    }

    /** Decides on commits. */
    private record CommitCoordinator(Coordinator coordinator) implements GroupCoordinator {
        @Override
        public CompletableFuture<Response> ask(Command command) {
            return coordinator.submit(command);
        }

        @Override
        public List<ShardTime> heardTimes() {
            return coordinator.heardTimes();
        }
    }

    OffsetRequests offsets(ClientUpstream upstream, ConnectionThread thread) {
        return new OffsetRequests(new CommitCoordinator(coordinator), upstream, topicNames, thread);
    }
}
