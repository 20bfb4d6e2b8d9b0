package io.muster.cli.server;

import io.muster.raft.SkippedEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code muster server}. */
@Command(name = "server", description = "Runs a node: a coordinator, a gateway, or both.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class ServerCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--config", required = true, paramLabel = "FILE", description = "The node's configuration (YAML).")
    private Path file;

    @Option(
            names = "--skip-entry",
            paramLabel = "SHARD:TERM:INDEX",
            description = "Passes over this entry of a shard's log, which no node can apply; what it changes is lost."
                    + " Start every node of the cluster with it. A node that cannot apply an entry names it.")
    private List<String> skippedEntries = List.of();

    @Override
    public Integer call() throws InterruptedException {
        return NodeMain.run(file, skipped(), spec.commandLine().getErr());
    }

    private Set<SkippedEntry> skipped() {
        try {
            return skippedEntries.stream().map(SkippedEntry::parse).collect(Collectors.toSet());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--skip-entry: " + e.getMessage());
        }
    }
}
