package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorResponses;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * An API that commits offsets: for a group that Muster owns, admitted in Raft and then stored upstream under the claim.
 *
 * @param <M> its requests
 */
abstract class CommitApi<M extends ApiMessage> implements Api {
    private static final Set<Errors> OF_MEMBERS = EnumSet.of(
            Errors.UNKNOWN_MEMBER_ID,
            Errors.ILLEGAL_GENERATION,
            Errors.FENCED_INSTANCE_ID,
            Errors.STALE_MEMBER_EPOCH,
            Errors.FENCED_MEMBER_EPOCH);

    private final Coordinator coordinator;
    private final ApiKeys key;
    private final Concern.Kind kind;
    private final Class<M> type;

    CommitApi(Coordinator coordinator, ApiKeys key, Concern.Kind kind, Class<M> type) {
        this.coordinator = coordinator;
        this.key = key;
        this.kind = kind;
        this.type = type;
    }

    abstract String groupId(M commit);

    /** Whether it names a member, so that the broker refuses it while a claim stands. */
    abstract boolean namesMember(M commit);

    /**
     * Commits in the client's order.
     *
     * @param judged whether the coordinator is asked
     */
    abstract CompletableFuture<ApiMessage> commit(
            ClientSession session, M commit, KafkaRequest request, boolean judged);

    /** The answer with each of its error codes as {@link #uncertain(short)} has it. */
    abstract ApiMessage uncertain(ApiMessage answer);

    @Override
    public final ApiKeys key() {
        return key;
    }

    @Override
    public final Concern concern(KafkaRequest request) throws MalformedRequestException {
        String groupId = groupId(request.body(type));
        return Concern.of(kind, groupId, !Ownership.mayBeOwned(coordinator, groupId));
    }

    @Override
    public final Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        M commit = request.body(type);
        if (Ownership.mayBeOwned(coordinator, groupId(commit))) {
            return Route.Answer.of(admitted(session, commit, request));
        }
        boolean passable = request.version() <= session.upstream().maxVersion(key);
        return passable ? Route.Pass.UNREAD : Route.Answer.of(commit(session, commit, request, false));
    }

    /**
     * The client's answer. Commits are admitted only for clients that may READ the group; the broker refuses the others by itself. It
     * also decides alone while nobody can say whether the group is Muster's, since it refuses members of claimed groups. Its refusals
     * of members may be the claim's then.
     */
    private CompletableFuture<ApiMessage> admitted(ClientSession session, M commit, KafkaRequest request) {
        if (session.isBrokerSilent()) {
            return CompletableFuture.completedFuture(
                    ErrorResponses.of(request, commit, Errors.COORDINATOR_NOT_AVAILABLE));
        }
        String groupId = groupId(commit);
        if (namesMember(commit) && !coordinator.ownershipKnown(groupId) && !coordinator.hasLeader(groupId)) {
            return commit(session, commit, request, false).thenApply(this::uncertain);
        }
        return session.permissions().mayReadInOrder(groupId).thenCompose(may -> commit(session, commit, request, may));
    }

    /** COORDINATOR_NOT_AVAILABLE for an error by which the broker refuses a member; others as they are. */
    static short uncertain(short errorCode) {
        return OF_MEMBERS.contains(Errors.forCode(errorCode)) ? Errors.COORDINATOR_NOT_AVAILABLE.code() : errorCode;
    }
}
