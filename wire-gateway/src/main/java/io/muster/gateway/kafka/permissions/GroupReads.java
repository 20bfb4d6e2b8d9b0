package io.muster.gateway.kafka.permissions;

import io.muster.gateway.kafka.offsets.ClientUpstream;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/**
 * Whether the client of one connection may READ groups. A broker looks at that first when it gets a classic heartbeat, whoever
 * coordinates the group; one of no member does nothing else. Any thread.
 */
final class GroupReads {
    private static final short LAST_KNOWN_VERSION = 4;

    private final ClientUpstream upstream;
    private final AllowedNames allowed;

    GroupReads(ClientUpstream upstream, PermissionRefresh refresh) {
        this.upstream = upstream;
        this.allowed = new AllowedNames(refresh);
    }

    /** Asks the broker, whatever it said before. */
    CompletableFuture<Boolean> ask(String groupId) {
        HeartbeatRequestData request = new HeartbeatRequestData()
                .setGroupId(groupId)
                .setGenerationId(-1)
                .setMemberId("");
        short version = (short) Math.min(LAST_KNOWN_VERSION, upstream.maxVersion(ApiKeys.HEARTBEAT));
        long askedIn = allowed.authentication();
        return upstream.call(ApiKeys.HEARTBEAT, version, request).thenApply(answer -> {
            boolean may = isAllowed(Errors.forCode(((HeartbeatResponseData) answer).errorCode()));
            allowed.remember(groupId, may, askedIn);
            return may;
        });
    }

    /** @throws IllegalStateException if the broker failed before it said anything, as where its authorizer fails */
    private static boolean isAllowed(Errors error) {
        if (error == Errors.UNKNOWN_SERVER_ERROR) {
            throw new IllegalStateException("the broker failed to say whether the client may READ the group");
        }
        return error != Errors.GROUP_AUTHORIZATION_FAILED;
    }

    /** Whether the broker allowed it when it was asked last. What is due is asked anew meanwhile. */
    boolean wereAllowed(String groupId) {
        AllowedNames.Known known = allowed.look(groupId);
        if (known == AllowedNames.Known.ALLOWED_AND_DUE) {
            var unused = ask(groupId);
        }
        return known != AllowedNames.Known.NOT_ALLOWED;
    }

    /** Forgets all, since the client says anew who it is. */
    void forget() {
        allowed.forget();
    }
}
