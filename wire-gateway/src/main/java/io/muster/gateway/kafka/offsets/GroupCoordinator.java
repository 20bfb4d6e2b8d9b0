package io.muster.gateway.kafka.offsets;

import io.muster.core.Command;
import io.muster.core.Response;
import java.util.concurrent.CompletableFuture;

/** Asks the group's coordinator in the Raft cluster. */
public interface GroupCoordinator {
    /** The coordinator's answer. Commands about one group are decided in the order of these calls. */
    CompletableFuture<Response> ask(Command command);
}
