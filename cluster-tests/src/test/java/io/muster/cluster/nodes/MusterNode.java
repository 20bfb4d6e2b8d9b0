package io.muster.cluster.nodes;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.muster.cluster.kafka.ChildProcess;
import io.muster.rpc.SecretProved;
import io.muster.rpc.proto.AdminServiceGrpc;
import io.muster.rpc.proto.AdminServiceGrpc.AdminServiceBlockingStub;
import io.muster.runtime.ClusterSecret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One {@code muster server} process, which can be paused, killed, wiped and started again. */
public final class MusterNode implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final int ANSWER_SECONDS = 10;

    private final MusterLayout layout;
    private final MusterLayout.Place place;
    private final ManagedChannel channel;
    private @Nullable ChildProcess process;

    MusterNode(MusterLayout layout, MusterLayout.Place place) {
        this.layout = layout;
        this.place = place;
        this.channel = Grpc.newChannelBuilder("dns:///" + place.rpc(), InsecureChannelCredentials.create())
                .intercept(new SecretProved(new ClusterSecret(MusterLayout.SECRET)))
                .build();
    }

    public String id() {
        return place.id();
    }

    /** The address of its machine. */
    public String host() {
        return place.host().address();
    }

    /** {@code host:port} that the admin commands take. */
    public String adminAddress() {
        return place.rpc();
    }

    /** Where it serves gateways and admin commands. */
    public int rpcPort() {
        return place.rpcPort();
    }

    /** The gateway's port of broker 0; broker n has this plus n. */
    public int gatewayPort() {
        return place.gatewayPort();
    }

    /** The admin service of this node, with ten seconds to answer. */
    public AdminServiceBlockingStub admin() {
        return AdminServiceGrpc.newBlockingStub(channel)
                .withWaitForReady()
                .withDeadlineAfter(ANSWER_SECONDS, TimeUnit.SECONDS);
    }

    /** Starts the process with whatever its directory holds; {@link #awaitReady()} waits for it. */
    public void launch() {
        try {
            Files.createDirectories(place.data());
            layout.writeSecret();
            Files.writeString(place.config(), layout.config(place));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process = ChildProcess.start(
                place.host().surroundings(),
                id(),
                place.log(),
                List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                System.getProperty("java.class.path"),
                List.of(
                        "io.muster.cli.Main",
                        "server",
                        "--config",
                        place.config().toString()));
    }

    /** Waits until the node says that it is ready. */
    public void awaitReady() {
        process().awaitLine("Muster is ready", START_LIMIT);
    }

    public boolean isAlive() {
        return process().isAlive();
    }

    /** Waits until it has ended by itself; returns its exit code. */
    public int awaitExit(Duration limit) {
        return process().awaitExit(limit);
    }

    /** What it has said since it was launched. */
    public String said() {
        try {
            return Files.readString(place.log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGSTOP. */
    public void pause() {
        process().pause();
    }

    /** SIGCONT. */
    public void resume() {
        process().resume();
    }

    /** SIGKILL; what the node said until then is put aside. */
    public void kill() {
        process().kill();
        try {
            Files.move(
                    place.log(),
                    place.log().resolveSibling(id() + "-until-" + process().pid() + ".log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes all that a killed node kept. */
    public void wipe() {
        if (process().isAlive()) {
            throw new IllegalStateException(id() + " runs");
        }
        place.deleteData();
    }

    /** Starts a killed node again and waits until it is ready. */
    public void restart() {
        launch();
        awaitReady();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        if (process != null) {
            process.close();
        }
        place.deleteData();
    }

    private ChildProcess process() {
        if (process == null) {
            throw new IllegalStateException(id() + " was never started");
        }
        return process;
    }
}
