package io.muster.gateway.netty;

import io.muster.core.Command;
import io.muster.core.Response;
import io.muster.core.ShardTime;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ApiDispatcher;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.offsets.GroupCoordinator;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import io.muster.gateway.kafka.offsets.TopicNames;
import io.muster.gateway.kafka.order.ConnectionThread;
import io.muster.gateway.kafka.permissions.PermissionRefresh;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the connections of a gateway share.
 *
 * @param permissions when brokers are asked again about what they have allowed
 * @param abandoned counts connections whose requests were not finished in time after the client was gone
 */
record Services(
        ApiDispatcher dispatcher,
        UpstreamBrokers upstream,
        ClientFrames frames,
        ConnectionPatience patience,
        Offsets offsets,
        PermissionRefresh permissions,
        LongAdder abandoned) {
    /** What the offset requests of all connections share. */
    record Offsets(Coordinator coordinator, TopicNames topicNames) {
        OffsetRequests of(ClientUpstream upstream, ConnectionThread thread) {
            return new OffsetRequests(new CommitCoordinator(coordinator), upstream, topicNames, thread);
        }
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
}
