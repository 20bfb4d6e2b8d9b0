package io.muster.gateway.kafka.api;

import io.muster.core.ClientInfo;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.Response;
import io.muster.core.StreamsHeartbeat;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.permissions.RememberedMembers;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.ApiMessage;
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

    /** What a heartbeat comes to. */
    sealed interface Verdict {
        /** It is decided. */
        record Granted() implements Verdict {}

        /** It is answered with this error, and the coordinator does not hear of it. */
        record Refused(Errors error) implements Verdict {}

        /** The coordinator hears that the member is alive, and no more; the client hears that it has to try again. */
        record KeptAlive() implements Verdict {}
    }

    /**
     * What matters of a heartbeat.
     *
     * @param keepAlive whether it says nothing but that the member is alive
     * @param topics that it names; may be empty
     */
    record Beat(
            String groupId,
            String memberId,
            int memberEpoch,
            boolean keepAlive,
            ClientInfo client,
            Set<String> topics) {
        static Beat of(ConsumerHeartbeat heartbeat, Set<String> topics) {
            return new Beat(
                    heartbeat.groupId(),
                    heartbeat.memberId(),
                    heartbeat.memberEpoch(),
                    heartbeat.isKeepAlive(),
                    heartbeat.client(),
                    topics);
        }

        static Beat of(StreamsHeartbeat heartbeat, Set<String> topics) {
            return new Beat(
                    heartbeat.groupId(),
                    heartbeat.memberId(),
                    heartbeat.memberEpoch(),
                    heartbeat.isKeepAlive(),
                    heartbeat.client(),
                    topics);
        }
    }

    /** Known at once for a keep-alive of a connection that was allowed before. Never exceptional. */
    CompletableFuture<Verdict> of(ClientSession session, Beat beat) {
        if (beat.keepAlive() && session.permissions().couldRead(beat.groupId())) {
            return CompletableFuture.completedFuture(new Verdict.Granted());
        }
        return session.permissions()
                .mayRead(beat.groupId())
                .thenCombine(session.permissions().undescribableAsKnown(beat.topics()), HeartbeatAdmission::verdict)
                .orTimeout(Answers.PERMISSION_MILLIS, TimeUnit.MILLISECONDS)
                .exceptionally(unknown -> hasAPlace(session, beat)
                        ? new Verdict.KeptAlive()
                        : new Verdict.Refused(Errors.COORDINATOR_NOT_AVAILABLE));
    }

    private static Verdict verdict(boolean read, Set<String> hidden) {
        if (!read) {
            return new Verdict.Refused(Errors.GROUP_AUTHORIZATION_FAILED);
        }
        return hidden.isEmpty() ? new Verdict.Granted() : new Verdict.Refused(Errors.TOPIC_AUTHORIZATION_FAILED);
    }

    /**
     * The client's answer.
     *
     * @param decided decides the heartbeat
     * @param keptAlive has the coordinator hear a keep-alive of the same member
     * @param refusal the answer with an error and nothing more
     */
    CompletableFuture<ApiMessage> answer(
            ClientSession session,
            Beat beat,
            Supplier<CompletableFuture<ApiMessage>> decided,
            Supplier<CompletableFuture<Response>> keptAlive,
            Function<Errors, ApiMessage> refusal) {
        return of(session, beat).thenCompose(verdict -> {
            if (verdict instanceof Verdict.Granted) {
                return decided.get();
            }
            if (verdict instanceof Verdict.Refused refused) {
                return CompletableFuture.completedFuture(refusal.apply(refused.error()));
            }
            var unused = keptAlive.get();
            return CompletableFuture.completedFuture(refusal.apply(Errors.COORDINATOR_NOT_AVAILABLE));
        });
    }

    /** A member that was answered on an allowed connection; of clients that have to say who they are, on this very connection. */
    private boolean hasAPlace(ClientSession session, Beat beat) {
        if (beat.memberEpoch() <= 0) {
            return false;
        }
        return session.permissions().couldRead(beat.groupId())
                || (session.isAnonymous() && remembered.contains(beat.groupId(), beat.memberId(), beat.client()));
    }

    /** Takes note of a member that was answered as a live one. */
    void answered(ClientSession session, String groupId, String memberId, ClientInfo client) {
        if (session.isAnonymous()) {
            remembered.add(groupId, memberId, client);
        }
    }

    /** Forgets a member that left. */
    void left(String groupId, String memberId) {
        remembered.remove(groupId, memberId);
    }
}
