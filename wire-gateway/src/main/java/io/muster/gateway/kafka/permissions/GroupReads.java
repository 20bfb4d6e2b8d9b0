package io.muster.gateway.kafka.permissions;

import io.muster.gateway.kafka.offsets.ClientUpstream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/**
 * Whether the client of one connection may READ groups. A broker looks at that first when it gets a classic heartbeat, whoever
 * coordinates the group; one of no member does nothing else. Any thread.
 */
final class GroupReads {
    private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();
    private static final short LAST_KNOWN_VERSION = 4;

    /** More than any client asks about at a time; of the others the one is forgotten that was asked about longest ago. */
    private static final int MOST_GROUPS = 1_000;

    private final ClientUpstream upstream;
    private final LongSupplier nanoClock;
    private final Map<String, Long> allowedAt = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST_GROUPS;
        }
    };
    private long authentications;

    GroupReads(ClientUpstream upstream, LongSupplier nanoClock) {
        this.upstream = upstream;
        this.nanoClock = nanoClock;
    }

    /** Asks the broker, whatever it said before. */
    CompletableFuture<Boolean> ask(String groupId) {
        HeartbeatRequestData request = new HeartbeatRequestData()
                .setGroupId(groupId)
                .setGenerationId(-1)
                .setMemberId("");
        short version = (short) Math.min(LAST_KNOWN_VERSION, upstream.maxVersion(ApiKeys.HEARTBEAT));
        long askedIn = authentication();
        return upstream.call(ApiKeys.HEARTBEAT, version, request).thenApply(answer -> {
            boolean allowed = isAllowed(Errors.forCode(((HeartbeatResponseData) answer).errorCode()));
            remember(groupId, allowed, askedIn);
            return allowed;
        });
    }

    /** @throws IllegalStateException if the broker failed before it said anything, as where its authorizer fails */
    private static boolean isAllowed(Errors error) {
        if (error == Errors.UNKNOWN_SERVER_ERROR) {
            throw new IllegalStateException("the broker failed to say whether the client may READ the group");
        }
        return error != Errors.GROUP_AUTHORIZATION_FAILED;
    }

    /** Whether the broker allowed it when it was asked last. What is older than some seconds is asked anew meanwhile. */
    boolean wereAllowed(String groupId) {
        boolean old;
        synchronized (this) {
            Long at = allowedAt.get(groupId);
            if (at == null) {
                return false;
            }
            long now = nanoClock.getAsLong();
            old = now - at > FRESH_NANOS;
            if (old) {
                allowedAt.put(groupId, now);
            }
        }
        if (old) {
            var unused = ask(groupId);
        }
        return true;
    }

    /** Forgets all, since the client says anew who it is. */
    synchronized void forget() {
        authentications++;
        allowedAt.clear();
    }

    private synchronized long authentication() {
        return authentications;
    }

    private synchronized void remember(String groupId, boolean allowed, long askedIn) {
        if (askedIn != authentications) {
            return;
        }
        if (allowed) {
            allowedAt.put(groupId, nanoClock.getAsLong());
        } else {
            allowedAt.remove(groupId);
        }
    }
}
