package io.muster.cluster.nodes;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.TestPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;

/**
 * Where the nodes of a cluster listen and keep their data, and their configuration files.
 *
 * @param upstream {@code host:port} of the brokers, separated by commas
 * @param extra more sections of every node's configuration
 * @param rpcRoads from the port where a node serves gateways, the one where the other nodes find it
 */
record MusterLayout(List<Place> places, String upstream, String extra, IntUnaryOperator rpcRoads) {
    static final String SECRET = "known to the test's cluster only";

    MusterLayout {
        places = List.copyOf(places);
    }

    /** One node's place. */
    record Place(String id, NodeHost host, int raftPort, int rpcPort, int gatewayPort, Path directory) {
        String raft() {
            return host.address() + ":" + raftPort;
        }

        String rpc() {
            return host.address() + ":" + rpcPort;
        }

        Path data() {
            return host.disk().orElse(directory).resolve(id);
        }

        Path config() {
            return directory.resolve(id + ".yaml");
        }

        Path log() {
            return directory.resolve(id + ".log");
        }

        void deleteData() {
            if (!Files.exists(data())) {
                return;
            }
            try (var files = Files.walk(data())) {
                List<Path> deepestFirst = files.sorted((a, b) -> b.compareTo(a)).toList();
                for (Path file : deepestFirst) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Places nodes on free ports of this machine, each gateway with a port for every broker. */
    static MusterLayout of(int nodes, KafkaBrokers upstream, String extra, IntUnaryOperator rpcRoads) {
        return of(Collections.nCopies(nodes, NodeHost.LOCAL), upstream, extra, rpcRoads);
    }

    /** Places one node on each of the hosts. */
    static MusterLayout of(List<NodeHost> hosts, KafkaBrokers upstream, String extra, IntUnaryOperator rpcRoads) {
        int nodes = hosts.size();
        int brokers = upstream.count();
        Path directory = newDirectory();
        List<Integer> ports = TestPorts.find(2 * nodes);
        int gateways = TestPorts.findRange(nodes * brokers);
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            places.add(new Place(
                    "node" + (i + 1),
                    hosts.get(i),
                    ports.get(2 * i),
                    ports.get(2 * i + 1),
                    gateways + i * brokers,
                    directory));
        }
        return new MusterLayout(places, upstream.bootstrap(), extra, rpcRoads);
    }

    /** The file that holds the cluster's secret. */
    Path secretFile() {
        return places.get(0).directory().resolve("secret");
    }

    /** Writes the secret for the eyes of its owner only, if it is not there yet. */
    void writeSecret() throws IOException {
        if (!Files.exists(secretFile())) {
            Files.createFile(
                    secretFile(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(secretFile(), SECRET);
        }
    }

    /** The text of a node's configuration file. */
    String config(Place place) {
        String nodes = places.stream()
                .map(each -> "  - {id: %s, raft: '%s', rpc: '%s'}%n"
                        .formatted(each.id(), each.raft(), rpcSeenBy(place, each)))
                .collect(Collectors.joining());
        return """
                cluster:
                  name: tests
                  secretFile: %s
                node:
                  id: %s
                  dataDirectory: %s
                nodes:
                %sgateway:
                  listenHost: %s
                  basePort: %d
                  advertisedHost: %s
                upstream:
                  bootstrapServers: [%s]
                %s""".formatted(
                        secretFile(),
                        place.id(),
                        place.data(),
                        nodes,
                        place.host().address(),
                        place.gatewayPort(),
                        place.host().address(),
                        quoted(upstream),
                        extra);
    }

    private String rpcSeenBy(Place viewer, Place seen) {
        return viewer.equals(seen) ? seen.rpc() : seen.host().address() + ":" + rpcRoads.applyAsInt(seen.rpcPort());
    }

    private static String quoted(String servers) {
        return List.of(servers.split(",")).stream()
                .map(each -> "'" + each + "'")
                .collect(Collectors.joining(", "));
    }

    private static Path newDirectory() {
        try {
            Path parent = Files.createDirectories(Path.of("target", "muster").toAbsolutePath());
            return Files.createTempDirectory(parent, "cluster-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
