package io.muster.cli.server;

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
        return NodeMain.run(file, spec.commandLine().getErr());
    }
}
