package io.muster.cli.quickstart;

import java.util.stream.Collectors;

/** Writes the configuration file of one node: what a person would write, but for the ports. */
final class QuickstartNodeConfig {
    private QuickstartNodeConfig() {}

    static String of(QuickstartLayout layout, QuickstartLayout.LocalNode node, String upstream) {
        String members = layout.nodes().stream()
                .map(each -> "  - {id: %s, raft: '%s', rpc: '%s'}%n".formatted(each.name(), each.raft(), each.rpc()))
                .collect(Collectors.joining());
        return """
                cluster:
                  name: quickstart
                  secretFile: %s
                node:
                  id: %s
                  dataDirectory: %s
                nodes:
                %sgateway:
                  listenHost: 127.0.0.1
                  basePort: %d
                  advertisedHost: 127.0.0.1
                upstream:
                  bootstrapServers: ['%s']
                """.formatted(
                        layout.secretFile(),
                        node.name(),
                        node.directory(),
                        members,
                        node.gatewayPort() - QuickstartKafka.BROKER_ID,
                        upstream);
    }
}
