package io.muster.cli;

import io.muster.cli.admin.ClusterCommand;
import io.muster.cli.admin.GroupsCommand;
import io.muster.cli.admin.MembersCommand;
import io.muster.cli.quickstart.QuickstartCommand;
import io.muster.cli.server.ServerCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The {@code muster} command. Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 70 a node that must not go on. */
@Command(
        name = "muster",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT, // every command has --help
        version = "Muster 0.1.0-SNAPSHOT",
        synopsisSubcommandLabel = "COMMAND",
        description = "A replicated group coordinator for Apache Kafka.",
        subcommands = {
            QuickstartCommand.class,
            ServerCommand.class,
            ClusterCommand.class,
            GroupsCommand.class,
            MembersCommand.class
        })
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(execute(arguments));
    }

    /** Runs a command; returns its exit code. */
    public static int execute(String... arguments) {
        return new CommandLine(new Main()).execute(arguments);
    }
}
