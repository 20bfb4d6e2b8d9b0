package io.muster.gateway.kafka.permissions;

import io.muster.gateway.kafka.offsets.ClientUpstream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/**
 * Whether the client of one connection may READ groups. A broker looks at that first when it gets a classic heartbeat, whoever
 * coordinates the group; one of no member does nothing else. A permission counts while it is looked up anew, so that heartbeats are
 * decided on arrival whatever upstream does meanwhile. Any thread.
 */
final class GroupReads {
    private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();
    private static final short LAST_KNOWN_VERSION = 4;

    private final ClientUpstream upstream;
    private final LongSupplier nanoClock;
    private final Map<String, Long> allowedAt = new ConcurrentHashMap<>();

    GroupReads(ClientUpstream upstream, LongSupplier nanoClock) {
        this.upstream = upstream;
        this.nanoClock = nanoClock;
    }

    CompletableFuture<Boolean> allowed(String groupId) {
        Long at = allowedAt.get(groupId);
        if (at == null) {
            return ask(groupId);
        }
        long now = nanoClock.getAsLong();
        if (now - at > FRESH_NANOS && allowedAt.replace(groupId, at, now)) {
            var unused = ask(groupId);
        }
        return CompletableFuture.completedFuture(true);
    }

    private CompletableFuture<Boolean> ask(String groupId) {
        HeartbeatRequestData request = new HeartbeatRequestData()
                .setGroupId(groupId)
                .setGenerationId(-1)
                .setMemberId("");
        short version = (short) Math.min(LAST_KNOWN_VERSION, upstream.maxVersion(ApiKeys.HEARTBEAT));
        return upstream.call(ApiKeys.HEARTBEAT, version, request).thenApply(answer -> {
            boolean allowed = ((HeartbeatResponseData) answer).errorCode() != Errors.GROUP_AUTHORIZATION_FAILED.code();
            if (allowed) {
                allowedAt.put(groupId, nanoClock.getAsLong());
            } else {
                allowedAt.remove(groupId);
            }
            return allowed;
        });
    }
}
