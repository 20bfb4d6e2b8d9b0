package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.permissions.RememberedMembers;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.protocol.Errors;

/**
 * Whether a client may send a heartbeat at all: it needs READ on the group, and DESCRIBE on the topics that it names.
 *
 * <p>A keep-alive of a connection that was allowed before passes unasked. For all else the broker is asked first whether the client may
 * READ the group; topics that it may DESCRIBE are known for a while. While the broker cannot say it in time, the client is told to try again, and nothing else; but a member that has a place from before keeps it.
 */
final class HeartbeatAdmission {
    private final RememberedMembers remembered;

    HeartbeatAdmission(RememberedMembers remembered) {
        this.remembered = remembered;
    }

    /**
     * What a heartbeat comes to.
     *
     * @param error that the client hears; none if the heartbeat is decided
     * @param keepsAlive whether the coordinator hears that the member is alive, and no more
     */
    record Verdict(Errors error, boolean keepsAlive) {
        private static final Verdict GRANTED = refused(Errors.NONE);

        private static Verdict refused(Errors error) {
            return new Verdict(error, false);
        }
    }

    /** Whether it is a keep-alive of a connection that was allowed before. */
    boolean passesUnasked(ClientSession session, GroupHeartbeat heartbeat) {
        return heartbeat.command().isKeepAlive()
                && session.permissions().couldRead(heartbeat.command().groupId());
    }

    /** What the broker says, or what is done without its word. Never exceptional. */
    CompletableFuture<Verdict> judge(ClientSession session, GroupHeartbeat heartbeat) {
        return session.permissions()
                .mayRead(heartbeat.command().groupId())
                .thenCombine(
                        session.permissions().undescribableAsKnown(heartbeat.topics()), HeartbeatAdmission::verdict)
                .orTimeout(Answers.PERMISSION_MILLIS, TimeUnit.MILLISECONDS)
                .exceptionally(unknown -> new Verdict(Errors.COORDINATOR_NOT_AVAILABLE, hasAPlace(session, heartbeat)));
    }

    private static Verdict verdict(boolean read, Set<String> hidden) {
        if (!read) {
            return Verdict.refused(Errors.GROUP_AUTHORIZATION_FAILED);
        }
        return hidden.isEmpty() ? Verdict.GRANTED : Verdict.refused(Errors.TOPIC_AUTHORIZATION_FAILED);
    }

    /** A member that was answered on an allowed connection; of clients that have to say who they are, on this very connection. */
    private boolean hasAPlace(ClientSession session, GroupHeartbeat heartbeat) {
        String groupId = heartbeat.command().groupId();
        if (heartbeat.command().memberEpoch() <= 0) {
            return false;
        }
        return session.permissions().couldRead(groupId)
                || (session.isAnonymous()
                        && remembered.contains(
                                groupId,
                                heartbeat.command().memberId(),
                                heartbeat.command().client()));
    }

    /** Takes note of a member that was answered as a live one. */
    void answered(ClientSession session, GroupHeartbeat heartbeat, String memberId) {
        if (session.isAnonymous()) {
            remembered.add(
                    heartbeat.command().groupId(), memberId, heartbeat.command().client());
        }
    }

    /** Forgets a member that left. */
    void left(GroupHeartbeat heartbeat) {
        remembered.remove(heartbeat.command().groupId(), heartbeat.command().memberId());
    }
}
