package io.muster.gateway.upstream;

import io.muster.core.PartitionRacks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;

/**
 * The racks of all brokers that were ever seen: metadata names only those that are up, and a partition's replicas have not moved
 * because a broker is down. One thread.
 */
final class BrokerRacks {
    private final Map<Integer, List<String>> racksByBroker = new HashMap<>();

    void see(Iterable<MetadataResponseBroker> brokers) {
        brokers.forEach(broker ->
                racksByBroker.put(broker.nodeId(), broker.rack() == null ? List.of() : List.of(broker.rack())));
    }

    /** Where a topic's partitions have replicas; unknown if one lies on a broker that was never seen. */
    PartitionRacks of(List<MetadataResponsePartition> partitions) {
        List<List<String>> byPartition = new ArrayList<>();
        partitions.forEach(partition -> byPartition.add(new ArrayList<>()));
        for (MetadataResponsePartition partition : partitions) {
            if (partition.partitionIndex() < 0 || partition.partitionIndex() >= byPartition.size()) {
                return PartitionRacks.UNKNOWN;
            }
            List<String> racks = byPartition.get(partition.partitionIndex());
            for (int broker : partition.replicaNodes()) {
                List<String> rack = racksByBroker.get(broker);
                if (rack == null) {
                    return PartitionRacks.UNKNOWN;
                }
                racks.addAll(rack);
            }
        }
        return PartitionRacks.of(byPartition);
    }
}
