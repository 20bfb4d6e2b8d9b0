package io.muster.cli.quickstart;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Directories and ports of one quickstart.
 *
 * @param directory of everything
 * @param kafkaPort the broker's port, of which clients need not know
 * @param nodes the Muster nodes
 */
record QuickstartLayout(Path directory, int kafkaPort, int controllerPort, List<LocalNode> nodes) {
    static final int NODES = 3;

    /** Distance between the ports of two gateways, so that each has room for more brokers. */
    private static final int GATEWAY_STEP = 10;

    private static final String HOST = "127.0.0.1";

    /**
     * One node.
     *
     * @param id from 1
     * @param gatewayPort where clients connect
     * @param rpcPort where gateways and operators connect
     */
    record LocalNode(int id, Path directory, int gatewayPort, int raftPort, int rpcPort) {
        String name() {
            return "node-" + id;
        }

        String gateway() {
            return HOST + ":" + gatewayPort;
        }

        String rpc() {
            return HOST + ":" + rpcPort;
        }

        String raft() {
            return HOST + ":" + raftPort;
        }
    }

    /**
     * Lays out a quickstart.
     *
     * @param port of the first gateway; the others follow in steps of ten
     */
    static QuickstartLayout of(Path directory, int port) throws IOException, QuickstartException {
        for (int id = 1; id <= NODES; id++) {
            FreePorts.requireFree(gatewayPort(port, id));
        }
        List<Integer> kept = KeptPorts.of(directory, 2 + 2 * NODES);
        List<LocalNode> nodes = new ArrayList<>();
        for (int id = 1; id <= NODES; id++) {
            nodes.add(new LocalNode(
                    id,
                    directory.resolve("node-" + id),
                    gatewayPort(port, id),
                    kept.get(2 * id),
                    kept.get(2 * id + 1)));
        }
        return new QuickstartLayout(directory, kept.get(0), kept.get(1), nodes);
    }

    private static int gatewayPort(int port, int id) {
        return port + (id - 1) * GATEWAY_STEP;
    }

    /** What the nodes and the operator share. */
    Path secretFile() {
        return directory.resolve("secret");
    }

    /** All gateways, as a client's {@code bootstrap.servers}. */
    String bootstrap() {
        return String.join(",", nodes.stream().map(LocalNode::gateway).toList());
    }
}
