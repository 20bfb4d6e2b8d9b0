package io.muster.cli.server;

import io.muster.cli.config.ConfigException;
import io.muster.cli.config.ConfigFile;
import io.muster.cli.config.MusterConfig;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code muster server}. */
@Command(name = "server", description = "Runs a node: a coordinator, a gateway, or both.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class ServerCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--config", required = true, paramLabel = "FILE", description = "The node's configuration (YAML).")
    private Path file;

    @Override
    public Integer call() throws InterruptedException {
        try {
            MusterConfig config = ConfigFile.read(file);
            MusterServer server = new MusterServer(config);
            server.start();
            server.awaitStop();
            return 0;
        } catch (ConfigException | StartException e) {
            spec.commandLine().getErr().println("muster: " + e.getMessage());
            return 1;
        }
    }
}
