package io.muster.gateway.kafka.api;

import io.muster.core.CoordinatorConfig;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.LiveBrokers;
import io.muster.gateway.kafka.PartitionEnds;
import io.muster.gateway.kafka.UpstreamVersions;
import io.muster.gateway.kafka.VirtualBrokers;
import io.muster.gateway.kafka.permissions.RememberedMembers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.kafka.common.protocol.ApiKeys;

/** All APIs that are not simply passed through, one line each. */
public final class ApiRegistry {
    private static final int MOST_REMEMBERED = 100_000;
    private static final Duration REMEMBERED_FOR = Duration.ofMinutes(5);

    private static final Set<ApiKeys> GROUP_REQUESTS = Set.copyOf(EnumSet.of(
            ApiKeys.CONSUMER_GROUP_HEARTBEAT,
            ApiKeys.CONSUMER_GROUP_DESCRIBE,
            ApiKeys.STREAMS_GROUP_HEARTBEAT,
            ApiKeys.STREAMS_GROUP_DESCRIBE,
            ApiKeys.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE,
            ApiKeys.LIST_GROUPS,
            ApiKeys.DESCRIBE_GROUPS,
            ApiKeys.DELETE_GROUPS,
            ApiKeys.LEAVE_GROUP,
            ApiKeys.HEARTBEAT,
            ApiKeys.OFFSET_COMMIT,
            ApiKeys.OFFSET_FETCH,
            ApiKeys.OFFSET_DELETE,
            ApiKeys.TXN_OFFSET_COMMIT,
            ApiKeys.FIND_COORDINATOR,
            ApiKeys.API_VERSIONS));

    private ApiRegistry() {}

    /** Requests about groups that become commands of Muster's nodes; none of them needs to be large. */
    public static Set<ApiKeys> groupRequests() {
        return GROUP_REQUESTS;
    }

    /**
     * What the APIs share.
     *
     * @param isSilent whether a broker is known to answer nobody
     */
    public record Parts(
            Coordinator coordinator,
            VirtualBrokers brokers,
            UpstreamVersions versions,
            PartitionEnds endOffsets,
            CoordinatorConfig defaults,
            IntPredicate isSilent) {}

    public static List<Api> all(Parts parts) {
        Coordinator coordinator = parts.coordinator();
        VirtualBrokers brokers = parts.brokers();
        LiveBrokers live = new LiveBrokers(brokers, parts.isSilent());
        RememberedMembers remembered =
                new RememberedMembers(MOST_REMEMBERED, REMEMBERED_FOR.toNanos(), System::nanoTime);
        List<Api> apis = new ArrayList<>(TransactionRequests.all());
        apis.addAll(List.of(
                new ApiVersionsApi(parts.versions()),
                new SaslAuthenticateApi(),
                AddressRewrites.metadata(live),
                AddressRewrites.describeCluster(brokers),
                AddressRewrites.fetch(brokers),
                AddressRewrites.listOffsets(),
                AddressRewrites.leaderEpochs(),
                AddressRewrites.shareFetch(brokers),
                AddressRewrites.shareAcknowledge(brokers),
                new ProduceApi(brokers),
                new FindCoordinatorApi(live),
                TopicChanges.creations(coordinator),
                TopicChanges.deletions(coordinator),
                TopicChanges.growth(coordinator),
                new ConsumerGroupHeartbeatApi(coordinator, remembered),
                new ConsumerGroupDescribeApi(coordinator),
                new StreamsGroupHeartbeatApi(coordinator, parts.endOffsets(), remembered),
                new StreamsGroupDescribeApi(coordinator),
                new StreamsGroupTopologyDescriptionUpdateApi(coordinator),
                new ListGroupsApi(coordinator, brokers),
                new DescribeGroupsApi(coordinator),
                new DeleteGroupsApi(coordinator),
                new LeaveGroupApi(coordinator),
                new JoinGroupApi(coordinator),
                new SyncGroupApi(coordinator),
                new HeartbeatApi(coordinator),
                new OffsetCommitApi(coordinator),
                new OffsetFetchApi(coordinator),
                new OffsetDeleteApi(coordinator),
                new TxnOffsetCommitApi(coordinator),
                new AlterConfigsApi(),
                new IncrementalAlterConfigsApi(),
                new DescribeConfigsApi(parts.defaults()),
                new ListConfigResourcesApi(coordinator)));
        return apis;
    }
}
