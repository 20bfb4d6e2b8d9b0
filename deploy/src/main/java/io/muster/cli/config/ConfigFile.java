package io.muster.cli.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.muster.cli.config.MusterConfig.Address;
import io.muster.cli.config.MusterConfig.ConfiguredCluster;
import io.muster.cli.config.MusterConfig.ConfiguredGateway;
import io.muster.cli.config.MusterConfig.ConfiguredNode;
import io.muster.cli.config.MusterConfig.OwnNode;
import io.muster.cli.config.MusterConfig.Role;
import io.muster.cli.config.MusterConfig.Upstream;
import io.muster.gateway.netty.ConnectionLimits;
import io.muster.raft.RaftConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the configuration file and checks all of it. */
public final class ConfigFile {
    private static final int MAX_PORT = 65_535;
    private static final long MEGABYTE = 1024 * 1024;
    private static final int MAX_MEGABYTES = 1024 * 1024;
    private static final int MAX_REQUEST_BYTES = Integer.MAX_VALUE / 2;
    private static final String NAME_RULE = " may hold letters, digits, '.', '_' and '-' only, at most 64 of them";

    private ConfigFile() {}

    /** @throws ConfigException if the file cannot be used, with one line that says why */
    public static MusterConfig read(Path file) throws ConfigException {
        if (!Files.isReadable(file)) {
            throw new ConfigException(file + " cannot be read");
        }
        try {
            JsonNode tree = YAMLMapper.builder()
                    .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                    .build()
                    .readTree(file.toFile());
            return config(ConfigSection.root(tree));
        } catch (JsonProcessingException e) {
            String where =
                    e.getLocation() == null ? "" : " (line " + e.getLocation().getLineNr() + ")";
            throw new ConfigException(file + " is not valid YAML" + where + ": "
                    + e.getOriginalMessage().lines().findFirst().orElse(""));
        } catch (IOException e) {
            throw new ConfigException(file + " cannot be read: " + e.getMessage());
        } catch (ConfigException e) {
            throw new ConfigException(file + ": " + e.getMessage());
        }
    }

    private static MusterConfig config(ConfigSection root) throws ConfigException {
        ConfiguredCluster cluster = cluster(root);
        OwnNode node = node(root.section("node"));
        MusterConfig config = new MusterConfig(
                cluster,
                node,
                gateway(root.section("gateway")),
                upstream(root.section("upstream"), node.roles()),
                CoordinatorSection.read(root.section("coordinator"), cluster.name()),
                raft(root.section("raft")));
        root.requireNothingElse();
        requireSecret(config);
        if (node.has(Role.COORDINATOR)
                && cluster.nodes().stream().noneMatch(each -> each.id().equals(node.id()))) {
            throw new ConfigException("node.id is '" + node.id() + "', but the list of nodes has no such id");
        }
        return config;
    }

    private static ConfiguredCluster cluster(ConfigSection root) throws ConfigException {
        ConfigSection section = root.section("cluster");
        ConfiguredCluster cluster = new ConfiguredCluster(
                name(section, "name"),
                section.integer("shards", 1, 1, 64),
                section.flag("takeOverClaims", false),
                section.has("secretFile")
                        ? SecretFile.read("cluster.secretFile", Path.of(section.string("secretFile")))
                        : null,
                nodes(root));
        section.requireNothingElse();
        return cluster;
    }

    private static OwnNode node(ConfigSection section) throws ConfigException {
        OwnNode node =
                new OwnNode(name(section, "id"), roles(section), directory(section), section.string("listenHost", ""));
        section.requireNothingElse();
        return node;
    }

    private static void requireSecret(MusterConfig config) throws ConfigException {
        Optional<String> open =
                Loopback.firstOther(config.cluster().nodes(), config.node().listenHost());
        if (config.cluster().secret() == null && open.isPresent()) {
            throw new ConfigException("cluster.secretFile is missing: nodes that other machines can reach, as at "
                    + open.get() + ", need a secret");
        }
    }

    private static Set<Role> roles(ConfigSection node) throws ConfigException {
        if (!node.has("roles")) {
            return EnumSet.allOf(Role.class);
        }
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (String name : node.strings("roles")) {
            switch (name) {
                case "coordinator" -> roles.add(Role.COORDINATOR);
                case "gateway" -> roles.add(Role.GATEWAY);
                default -> throw new ConfigException("node.roles may hold coordinator and gateway, not '" + name + "'");
            }
        }
        return roles;
    }

    private static Path directory(ConfigSection node) throws ConfigException {
        Path directory = Path.of(node.string("dataDirectory"));
        if (!Files.isDirectory(directory)) {
            throw new ConfigException("node.dataDirectory: there is no directory " + directory);
        }
        if (!Files.isWritable(directory)) {
            throw new ConfigException("node.dataDirectory: " + directory + " cannot be written");
        }
        return directory.toAbsolutePath().normalize();
    }

    private static List<ConfiguredNode> nodes(ConfigSection root) throws ConfigException {
        List<ConfiguredNode> nodes = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (ConfigSection each : root.sections("nodes")) {
            ConfiguredNode node = new ConfiguredNode(name(each, "id"), address(each, "raft"), address(each, "rpc"));
            each.requireNothingElse();
            if (!seen.add(node.id())) {
                throw new ConfigException("nodes: two nodes have the id '" + node.id() + "'");
            }
            nodes.add(node);
        }
        return nodes;
    }

    private static ConfiguredGateway gateway(ConfigSection section) throws ConfigException {
        String listenHost = section.string("listenHost", "0.0.0.0");
        ConfiguredGateway gateway = new ConfiguredGateway(
                listenHost,
                section.integer("basePort", 19_092, 1, MAX_PORT),
                section.string("advertisedHost", listenHost.equals("0.0.0.0") ? "localhost" : listenHost),
                section.millis("requestPatience", "25s", "1s", "29s"),
                section.millis("permissionRefresh", "1m", "1s", "1h"),
                limits(section));
        section.requireNothingElse();
        return gateway;
    }

    private static ConnectionLimits limits(ConfigSection section) throws ConfigException {
        ConnectionLimits usual = ConnectionLimits.defaults();
        int requestBytes = section.integer("maxRequestBytes", usual.requestBytes(), 1024, MAX_REQUEST_BYTES);
        long requestMemory =
                megabytes(section, "requestMemoryMegabytes", Math.max(usual.requestMemoryBytes(), requestBytes));
        if (requestMemory < requestBytes) {
            throw new ConfigException("gateway.requestMemoryMegabytes must hold gateway.maxRequestBytes");
        }
        return new ConnectionLimits(
                requestBytes,
                section.integer("maxGroupRequestBytes", usual.groupRequestBytes(), 1024, usual.groupRequestBytes()),
                section.integer("maxRequestsInFlight", usual.inFlight(), 1, 10_000),
                requestMemory,
                megabytes(section, "replyMemoryMegabytes", usual.replyMemoryBytes()),
                Duration.ofMillis(section.millis("firstRequestTimeout", "30s", "1s", "10m")),
                Duration.ofMillis(section.millis("requestTimeout", "30s", "1s", "1h")),
                Duration.ofMillis(section.millis("idleTimeout", "10m", "10s", "7d")));
    }

    private static long megabytes(ConfigSection section, String key, long byDefault) throws ConfigException {
        return section.has(key) ? MEGABYTE * section.integer(key, 0, 1, MAX_MEGABYTES) : byDefault;
    }

    private static Upstream upstream(ConfigSection section, Set<Role> roles) throws ConfigException {
        boolean needed = roles.contains(Role.GATEWAY) || section.has("bootstrapServers");
        Upstream upstream = new Upstream(
                needed ? section.strings("bootstrapServers") : List.of(),
                section.texts("properties"),
                section.millis("topicPollInterval", "2s", "100ms", "10m"));
        section.requireNothingElse();
        for (String server : upstream.bootstrapServers()) {
            Address.parse("upstream.bootstrapServers", server);
        }
        return upstream;
    }

    private static RaftConfig.Pace raft(ConfigSection section) throws ConfigException {
        RaftConfig.Pace raft = new RaftConfig.Pace(
                section.millis("electionTimeoutMin", "400ms", "100ms", "30s"),
                section.millis("electionTimeoutMax", "800ms", "200ms", "60s"),
                section.integer("snapshotThreshold", 100_000, 100, 100_000_000));
        section.requireNothingElse();
        if (raft.electionTimeoutMaxMillis() <= raft.electionTimeoutMinMillis()) {
            throw new ConfigException("raft.electionTimeoutMax must be above raft.electionTimeoutMin");
        }
        return raft;
    }

    private static String name(ConfigSection section, String key) throws ConfigException {
        String name = section.string(key);
        if (!name.matches("[A-Za-z0-9._-]{1,64}")) {
            throw new ConfigException(section.at(key) + NAME_RULE);
        }
        return name;
    }

    private static Address address(ConfigSection section, String key) throws ConfigException {
        return Address.parse(section.at(key), section.string(key));
    }
}
