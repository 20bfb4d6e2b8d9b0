package io.muster.cluster.nodes;

import io.muster.cluster.kafka.ChildProcess.Surroundings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The machine of one node, as far as it differs from that of the tests.
 *
 * @param address where it listens
 * @param disk what its data lies on; empty for the disk of the build
 */
public record NodeHost(String address, Surroundings surroundings, Optional<Path> disk) {
    /** The machine of the tests. */
    public static final NodeHost LOCAL = new NodeHost("127.0.0.1", Surroundings.NONE, Optional.empty());

    /** The same with other variables in its environment, too. */
    public NodeHost with(Map<String, String> variables) {
        Map<String, String> all = new TreeMap<>(surroundings.environment());
        all.putAll(variables);
        return new NodeHost(address, new Surroundings(surroundings.launcher(), all), disk);
    }

    /** The same with a disk of its own. */
    public NodeHost on(Path mounted) {
        return new NodeHost(address, surroundings, Optional.of(mounted));
    }

    /** The same with another address, behind a command that leads there. */
    NodeHost at(String otherAddress, List<String> launcher) {
        return new NodeHost(otherAddress, new Surroundings(launcher, surroundings.environment()), disk);
    }
}
