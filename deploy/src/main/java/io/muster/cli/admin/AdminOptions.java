package io.muster.cli.admin;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.muster.cli.config.ConfigException;
import io.muster.cli.config.MusterConfig.Address;
import io.muster.cli.config.SecretFile;
import io.muster.core.Limits;
import io.muster.rpc.SecretProved;
import io.muster.rpc.proto.AdminServiceGrpc;
import io.muster.rpc.proto.AdminServiceGrpc.AdminServiceBlockingStub;
import io.muster.runtime.ClusterSecret;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every admin command takes: whom to ask, and how to show the answer. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class AdminOptions {
    private static final int FAILED = 1;

    /** Gets with a stack trace what the command prints in one line; java.util.logging forgets loggers that nobody holds. */
    private static final Logger GRPC_LOG = Logger.getLogger("io.grpc");

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--admin", required = true, paramLabel = "HOST:PORT", description = "The rpc address of any node.")
    private String admin;

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            defaultValue = "${env:MUSTER_SECRET_FILE}",
            description = "The cluster's secret, if it has one. Default: the file that MUSTER_SECRET_FILE names.")
    private @Nullable Path secretFile;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            paramLabel = "FORMAT",
            description = "table (default) or json.")
    private Format format;

    @Option(
            names = "--timeout",
            defaultValue = "20",
            paramLabel = "SECONDS",
            description = "How long to wait for the answer. Default 20.")
    private int timeoutSeconds;

    /** How an answer is shown. */
    enum Format {
        table,
        json
    }

    /** Asks the node, once, for a change and prints what {@code show} makes of the answer; returns the exit code. */
    int ask(Function<AdminServiceBlockingStub, Shown> show) {
        return answer(show);
    }

    /** Asks the node for what changes nothing, again and again while a leader is being looked for; returns the exit code. */
    int look(Function<AdminServiceBlockingStub, Shown> show) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        return answer(stub -> {
            while (true) {
                try {
                    return show.apply(stub);
                } catch (StatusRuntimeException e) {
                    if (!isPassing(e.getStatus()) || System.nanoTime() + PAUSE_NANOS > deadline) {
                        throw e;
                    }
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        });
    }

    /** What a command throws that is used wrongly: the complaint is printed before the usage, and the exit code is 2. */
    ParameterException wrongUsage(String complaint) {
        return new ParameterException(spec.commandLine(), complaint);
    }

    private int answer(Function<AdminServiceBlockingStub, Shown> show) {
        requireTimeout();
        GRPC_LOG.setLevel(Level.OFF);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        ManagedChannel channel = node().intercept(new SecretProved(secret()))
                .maxInboundMessageSize(Limits.DEFAULT.answerBytes())
                .build();
        try {
            Shown shown = show.apply(
                    AdminServiceGrpc.newBlockingStub(channel).withDeadlineAfter(timeoutSeconds, TimeUnit.SECONDS));
            out.println(format == Format.json ? shown.json() : shown.text());
            out.flush();
            return 0;
        } catch (StatusRuntimeException e) {
            err.println("muster: " + complaint(e.getStatus()));
            err.flush();
            return FAILED;
        } finally {
            channel.shutdownNow();
        }
    }

    private void requireTimeout() {
        if (timeoutSeconds < 1) {
            throw wrongUsage("--timeout must be 1 or more, but is " + timeoutSeconds);
        }
    }

    private ManagedChannelBuilder<?> node() {
        try {
            Address address = Address.parse("--admin", admin);
            return Grpc.newChannelBuilderForAddress(
                    address.host(), address.port(), InsecureChannelCredentials.create());
        } catch (ConfigException | IllegalArgumentException e) {
            throw wrongUsage("--admin must be HOST:PORT of a node's rpc address, but is '" + admin + "'");
        }
    }

    private @Nullable ClusterSecret secret() {
        try {
            return secretFile == null ? null : SecretFile.read("--secret-file", secretFile);
        } catch (ConfigException e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isPassing(Status status) {
        return status.getCode() == Status.Code.UNAVAILABLE && !isUnreachable(status);
    }

    /** No node listens there, or there is no such host. */
    private static boolean isUnreachable(Status status) {
        String detail = String.valueOf(status.getDescription());
        return detail.startsWith("io exception") || detail.startsWith("Unable to resolve host");
    }

    private String complaint(Status status) {
        String detail = status.getDescription() == null
                ? status.getCode().name()
                : status.getDescription().lines().findFirst().orElse("");
        return switch (status.getCode()) {
            case DEADLINE_EXCEEDED -> admin + " did not answer within " + timeoutSeconds + " s";
            case UNAUTHENTICATED ->
                admin + " wants the cluster's secret: --secret-file FILE or MUSTER_SECRET_FILE"
                        + (status.getDescription() == null ? "" : " (" + detail + ")");
            case UNAVAILABLE -> isUnreachable(status) ? admin + " cannot be reached" : detail;
            default -> detail;
        };
    }

    /** An answer for people and for programs. */
    record Shown(String text, String json) {}
}
