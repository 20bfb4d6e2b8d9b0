package io.muster.cli.quickstart;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What scripts read in {@code quickstart.json} once everything is ready.
 *
 * @param bootstrapServers all gateways, as a client's {@code bootstrap.servers}
 * @param upstream the broker's own address
 * @param secretFile what the admin commands need, see MUSTER_SECRET_FILE
 * @param pid of the quickstart itself
 */
record QuickstartFile(
        String bootstrapServers, String upstream, String secretFile, long pid, long kafkaPid, List<NodeEntry> nodes) {
    private static final String NAME = "quickstart.json";

    /** One node. */
    record NodeEntry(String id, String gateway, String admin, long pid) {}

    static QuickstartFile of(QuickstartLayout layout, QuickstartKafka kafka, QuickstartNodes nodes) {
        List<NodeEntry> entries = new ArrayList<>();
        for (int i = 0; i < layout.nodes().size(); i++) {
            QuickstartLayout.LocalNode node = layout.nodes().get(i);
            entries.add(new NodeEntry(
                    node.name(), node.gateway(), node.rpc(), nodes.pids().get(i)));
        }
        return new QuickstartFile(
                layout.bootstrap(),
                kafka.bootstrap(),
                layout.secretFile().toString(),
                ProcessHandle.current().pid(),
                kafka.process().pid(),
                entries);
    }

    /** Writes the file in one step, so that nobody reads half of it. */
    void write(Path directory) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        Path unfinished = directory.resolve(NAME + ".tmp");
        mapper.writeValue(unfinished.toFile(), this);
        Files.move(unfinished, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes what an earlier quickstart left in the directory: the file says that everything is ready. */
    static void forget(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(NAME));
    }
}
