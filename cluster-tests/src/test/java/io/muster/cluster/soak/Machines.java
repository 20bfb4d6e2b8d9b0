package io.muster.cluster.soak;

import io.muster.cluster.nodes.NodeHost;
import io.muster.cluster.nodes.NodeNetwork;
import io.muster.cluster.nodes.SmallDisk;
import io.muster.cluster.nodes.WallClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The machines of three nodes. What this machine does not allow is empty, and no fault of that kind happens.
 *
 * @param network what connects them
 * @param disk of the first node
 * @param clock of the last node
 */
record Machines(Optional<NodeNetwork> network, Optional<SmallDisk> disk, Optional<WallClock> clock)
        implements AutoCloseable {
    static final int NODES = 3;
    static final int WITH_DISK = 0;
    static final int WITH_CLOCK = NODES - 1;

    private static final int DISK_MEGABYTES = 256;

    static Machines prepare() {
        return new Machines(NodeNetwork.make(NODES), SmallDisk.mount(DISK_MEGABYTES), WallClock.make());
    }

    /** Where the brokers are found. */
    String brokersAddress() {
        return network.map(NodeNetwork::testsAddress).orElse(NodeHost.LOCAL.address());
    }

    List<NodeHost> hosts() {
        List<NodeHost> hosts = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            int node = i;
            NodeHost host = network.map(each -> each.host(node)).orElse(NodeHost.LOCAL);
            if (i == WITH_DISK && disk.isPresent()) {
                host = host.on(disk.get().directory());
            }
            if (i == WITH_CLOCK && clock.isPresent()) {
                host = host.with(clock.get().environment());
            }
            hosts.add(host);
        }
        return hosts;
    }

    @Override
    public void close() {
        disk.ifPresent(SmallDisk::close);
        network.ifPresent(NodeNetwork::close);
    }
}
