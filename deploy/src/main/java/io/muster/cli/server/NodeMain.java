package io.muster.cli.server;

import io.muster.cli.config.ConfigException;
import io.muster.cli.config.ConfigFile;
import io.muster.cli.config.MusterConfig;
import io.muster.raft.SkippedEntry;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;

/** A node without the command line's parser, which takes a third of its start: for nodes that Muster starts itself. */
public final class NodeMain {
    private NodeMain() {}

    /**
     * Runs until SIGTERM.
     *
     * @param args the node's configuration file
     */
    public static void main(String[] args) throws InterruptedException {
        System.exit(run(Path.of(args[0]), Set.of(), new PrintWriter(System.err, true, StandardCharsets.UTF_8)));
    }

    /**
     * Runs until SIGTERM; returns the exit code, 1 with one line of complaint if the node cannot start.
     *
     * @param skippedEntries entries of the Raft logs that are passed over
     */
    static int run(Path configFile, Set<SkippedEntry> skippedEntries, PrintWriter err) throws InterruptedException {
        try {
            MusterConfig config = ConfigFile.read(configFile);
            MusterServer server = new MusterServer(config, skippedEntries);
            server.start();
            server.awaitStop();
            return 0;
        } catch (ConfigException | StartException e) {
            err.println("muster: " + e.getMessage());
            return 1;
        }
    }
}
