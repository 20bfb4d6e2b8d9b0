package io.muster.gateway.kafka.offsets;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** The upstream connection of one client. */
public interface ClientUpstream {
    /**
     * Sends a request at once, after all that was sent before it, under the client's own client id.
     *
     * @return the answer, or exceptionally if the connection broke: upstream may or may not have acted then
     */
    CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request);

    /** The newest version of the API that upstream has. */
    short maxVersion(ApiKeys api);
}
