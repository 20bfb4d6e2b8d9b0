package io.muster.cli.config;

import io.muster.cli.config.MusterConfig.ConfiguredNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tells whether the nodes can be reached from other machines; then they need a secret. Nothing is looked up. */
final class Loopback {
    private static final Pattern ADDRESS = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[?::1]?");

    private Loopback() {}

    /** The first host that is not this machine's alone. */
    static Optional<String> firstOther(List<ConfiguredNode> nodes, String listenHost) {
        Stream<String> hosts = nodes.stream()
                .flatMap(node -> Stream.of(node.raft().host(), node.rpc().host()));
        return Stream.concat(Stream.of(listenHost).filter(host -> !host.isEmpty()), hosts)
                .filter(host -> !ADDRESS.matcher(host).matches())
                .findFirst();
    }
}
