package io.muster.gateway.kafka;

import io.muster.core.ClientInfo;
import io.muster.core.Command;
import io.muster.core.Response;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import io.muster.gateway.kafka.permissions.Permissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;

/** One client connection, as the APIs see it. */
public interface ClientSession {
    /** The broker at whose port the client connected. */
    int brokerId();

    /** Who sent the request. */
    ClientInfo client(KafkaRequest request);

    /** Whether the brokers do not ask who a client is. */
    boolean isAnonymous();

    /** Whether the broker was given up since it is silent: it is not to be asked for anything. */
    boolean isBrokerSilent();

    /** The broker answered what the client said of who it is. */
    void authenticated(SaslAuthenticateResponseData answer);

    /** The connection's thread: what an answer still needs is done there, not by the thread that brought it. */
    Executor thread();

    /** The client's own connection to that broker. */
    ClientUpstream upstream();

    /** What the client may do. */
    Permissions permissions();

    /** Offset requests of this connection, in order. */
    OffsetRequests offsets();

    /**
     * The coordinator's answer, asked again until the request's deadline while it refuses for a reason that passes: for commands that
     * may be decided twice, and whose clients do not try again by themselves.
     */
    default CompletableFuture<Response> ask(Command command, KafkaRequest request) {
        return offsets().ask(command, request.deadlineNanos());
    }
}
