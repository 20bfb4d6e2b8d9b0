package io.muster.cluster.nodes;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A network of its own for each node (a network namespace of Linux), all on one bridge with the tests. Nodes can be cut off from each
 * other, so that their packets vanish without a word; the tests and the brokers reach all of them all the time.
 */
public final class NodeNetwork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeNetwork.class);
    private static final int NUMBERS = 200;

    /** Nobody's: what is sent there, nobody takes. */
    private static final String NOBODY = "02:00:00:00:00:01";

    private static final int TESTS = 254;

    private final int number;
    private final List<String> namespaces = new ArrayList<>();

    private NodeNetwork(int number) {
        this.number = number;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** Makes a network for so many nodes; empty, with a line in the log, where that cannot be done. */
    public static Optional<NodeNetwork> make(int nodes) {
        NodeNetwork network = new NodeNetwork(ThreadLocalRandom.current().nextInt(NUMBERS));
        try {
            network.build(nodes);
            return Optional.of(network);
        } catch (UncheckedIOException e) {
            LOG.warn("SKIPPED partitions: no network namespaces can be made here: {}", e.getMessage());
            network.close();
            return Optional.empty();
        }
    }

    private void build(int nodes) {
        SystemCommand.run("ip link add " + bridge() + " type bridge");
        SystemCommand.run("ip addr add " + address(TESTS) + "/24 dev " + bridge());
        SystemCommand.run("ip link set " + bridge() + " up");
        for (int i = 0; i < nodes; i++) {
            String namespace = "muster" + number + "n" + i;
            SystemCommand.run("ip netns add " + namespace);
            namespaces.add(namespace);
            String cable = "mc" + number + "n" + i;
            SystemCommand.run("ip link add " + cable + " type veth peer name eth0 netns " + namespace);
            SystemCommand.run("ip link set " + cable + " master " + bridge() + " up");
            SystemCommand.run("ip -n " + namespace + " addr add " + address(i + 1) + "/24 dev eth0");
            SystemCommand.run("ip -n " + namespace + " link set eth0 up");
            SystemCommand.run("ip -n " + namespace + " link set lo up");
        }
    }

    /** Where nodes reach what listens in the tests' own network. */
    public String testsAddress() {
        return address(TESTS);
    }

    /** The host of a node, counted from 0. */
    public NodeHost host(int node) {
        return NodeHost.LOCAL.at(address(node + 1), List.of("ip", "netns", "exec", namespaces.get(node)));
    }

    /** From now on, two nodes do not hear of each other. */
    public void cut(int one, int other) {
        forward(one, other, NOBODY);
        forward(other, one, NOBODY);
    }

    /** Two nodes that were cut off from each other are connected again. */
    public void mend(int one, int other) {
        forget(one, other);
        forget(other, one);
    }

    private void forward(int from, int to, String station) {
        SystemCommand.run("ip -n %s neigh replace %s lladdr %s nud permanent dev eth0"
                .formatted(namespaces.get(from), address(to + 1), station));
    }

    private void forget(int from, int to) {
        SystemCommand.run("ip -n %s neigh del %s dev eth0".formatted(namespaces.get(from), address(to + 1)));
    }

    private String bridge() {
        return "mbridge" + number;
    }

    private String address(int host) {
        return "10.177." + number + "." + host;
    }

    @Override
    public synchronized void close() {
        while (!namespaces.isEmpty()) {
            tryToRun("ip netns del " + namespaces.remove(0));
            if (namespaces.isEmpty()) {
                tryToRun("ip link del " + bridge());
            }
        }
    }

    private static void tryToRun(String words) {
        try {
            SystemCommand.run(words);
        } catch (UncheckedIOException e) {
            LOG.warn("left behind", e);
        }
    }
}
