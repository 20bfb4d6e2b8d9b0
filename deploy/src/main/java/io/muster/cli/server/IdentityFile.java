package io.muster.cli.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.muster.cli.config.MusterConfig;
import io.muster.runtime.ClusterIdentity;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * {@code identity.json} in the data directory: which node of which cluster the directory belongs to. What Raft and the stores hold
 * there is of use to no other node, and a configuration that was edited does not change it.
 */
final class IdentityFile {
    private static final String NAME = "identity.json";
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path directory;
    private Content content;

    private IdentityFile(Path directory, Content content) {
        this.directory = directory;
        this.content = content;
    }

    /** @param raftAddresses by node id; Raft keeps those that it began with */
    record Content(String nodeId, ClusterIdentity cluster, Map<String, String> raftAddresses) {
        Content {
            raftAddresses = new TreeMap<>(raftAddresses);
        }

        private static Content of(MusterConfig config, String incarnation) {
            Map<String, String> addresses = new TreeMap<>();
            config.cluster()
                    .nodes()
                    .forEach(node -> addresses.put(node.id(), node.raft().toString()));
            return new Content(config.node().id(), config.cluster().identity().of(incarnation), addresses);
        }
    }

    /**
     * Whether nothing of Muster's is kept in the directory, and the node that begins there knows of no cluster. A snapshot of Raft's
     * or a store counts even if the identity is missing.
     */
    static boolean isEmpty(Path directory) throws StartException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(path -> path.getFileName().toString())
                    .noneMatch(name -> name.equals(NAME) || name.equals("raft") || name.equals("stores"));
        } catch (IOException e) {
            throw new StartException(directory + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Checks the configuration against the directory, and writes the identity into a directory that has none.
     *
     * @throws StartException if the directory belongs to another node, or its cluster was founded with something else
     */
    static IdentityFile check(MusterConfig config) throws StartException {
        Path file = config.node().dataDirectory().resolve(NAME);
        try {
            if (!Files.exists(file)) {
                IdentityFile written = new IdentityFile(config.node().dataDirectory(), Content.of(config, ""));
                written.write();
                return written;
            }
            Content stored = MAPPER.readValue(file.toFile(), Content.class);
            Optional<String> difference = difference(stored, Content.of(config, ""));
            if (difference.isPresent()) {
                throw new StartException(
                        "the data in " + config.node().dataDirectory() + " was made by another configuration: there, "
                                + difference.get() + ". Neither can be changed; see the README",
                        null);
            }
            return new IdentityFile(config.node().dataDirectory(), stored);
        } catch (JsonProcessingException e) {
            throw new StartException(
                    file + " is not readable as an identity: restore it, or start with an empty"
                            + " directory if the other nodes are well",
                    e);
        } catch (IOException e) {
            throw new StartException(file + " cannot be read or written: " + e.getMessage(), e);
        }
    }

    private static Optional<String> difference(Content stored, Content configured) {
        if (!stored.nodeId().equals(configured.nodeId())) {
            return Optional.of("node.id is " + stored.nodeId() + " and not " + configured.nodeId());
        }
        Optional<String> cluster = stored.cluster().differenceTo(configured.cluster());
        if (cluster.isPresent()) {
            return cluster;
        }
        return stored.raftAddresses().entrySet().stream()
                .filter(entry ->
                        !entry.getValue().equals(configured.raftAddresses().get(entry.getKey())))
                .map(entry -> "nodes[" + entry.getKey() + "].raft is " + entry.getValue() + " and not "
                        + configured.raftAddresses().get(entry.getKey()))
                .findFirst();
    }

    /** What the directory's cluster was founded with, as far as is known. */
    ClusterIdentity cluster() {
        return content.cluster();
    }

    /** Notes the cluster's incarnation, once the node knows it; nothing happens if it is noted already. */
    void note(String incarnation) throws IOException {
        if (content.cluster().incarnation().isEmpty() && !incarnation.isEmpty()) {
            content = new Content(content.nodeId(), content.cluster().of(incarnation), content.raftAddresses());
            write();
        }
    }

    /** In one step: a crash leaves the old file or the new one. */
    private void write() throws IOException {
        Path unfinished = directory.resolve(NAME + ".tmp");
        Files.write(unfinished, MAPPER.writeValueAsBytes(content));
        try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(unfinished, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }
}
