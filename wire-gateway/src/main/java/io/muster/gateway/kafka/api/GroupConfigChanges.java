package io.muster.gateway.kafka.api;

import io.muster.core.GroupCommand;
import io.muster.core.GroupConfigs;
import io.muster.core.Response;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorMapper;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.api.GroupConfigChange.Refusal;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;

/**
 * Changes group configs in Raft, as one request asks, and lets upstream have its part: Muster validates first, then upstream does its part and says
 * whether the client may change the group at all, then Muster does its own.
 */
final class GroupConfigChanges {
    static final byte GROUP = ConfigResource.Type.GROUP.id();

    private static final Set<Short> AUTHORIZATION_ERRORS =
            Set.of(Errors.GROUP_AUTHORIZATION_FAILED.code(), Errors.CLUSTER_AUTHORIZATION_FAILED.code());

    private static final Refusal NOT_ALLOWED =
            new Refusal(Errors.CLUSTER_AUTHORIZATION_FAILED.code(), Optional.of("Cluster authorization failed."));

    private final ClientSession session;
    private final KafkaRequest request;

    GroupConfigChanges(ClientSession session, KafkaRequest request) {
        this.session = session;
        this.request = request;
    }

    /** Whether upstream keeps the config, as those of share groups. */
    static boolean isUpstreams(String name) {
        return !GroupConfigs.isKept(name);
    }

    /** The change with what Muster has against it; a refused change stays as it is. */
    CompletableFuture<GroupConfigChange> checked(GroupConfigChange change) {
        if (change.refusal().isPresent() || change.own().isEmpty()) {
            return CompletableFuture.completedFuture(change);
        }
        return submit(change, true).thenApply(change::withRefusal);
    }

    /**
     * Makes a checked change of which upstream did its part; one that was refused already is not made.
     *
     * @param upstream what upstream answered about the group. One that knows no group configs does not say whether the client may change
     *     them: it needs to be allowed to change the cluster's then
     * @return why it was not made, empty if it was
     */
    CompletableFuture<Optional<Refusal>> made(GroupConfigChange change, Refusal upstream, boolean validateOnly) {
        if (change.refusal().isPresent()) {
            return CompletableFuture.completedFuture(change.refusal());
        }
        boolean refusedUpstream = AUTHORIZATION_ERRORS.contains(upstream.errorCode())
                || (change.hasUpstreams() && upstream.errorCode() != Errors.NONE.code());
        if (refusedUpstream) {
            return CompletableFuture.completedFuture(Optional.of(upstream));
        }
        CompletableFuture<Boolean> may = upstream.errorCode() == Errors.NONE.code()
                ? CompletableFuture.completedFuture(true)
                : session.permissions().mayOnCluster(AclOperation.ALTER_CONFIGS);
        return may.thenCompose(allowed -> {
            if (!allowed) {
                return CompletableFuture.completedFuture(Optional.of(NOT_ALLOWED));
            }
            return validateOnly || change.own().isEmpty()
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : submit(change, false);
        });
    }

    private CompletableFuture<Optional<Refusal>> submit(GroupConfigChange change, boolean validateOnly) {
        return session.ask(new GroupCommand.AlterConfigs(change.groupId(), change.own(), validateOnly), request)
                .thenApply(response -> response instanceof Response.Done
                        ? Optional.empty()
                        : Optional.of(refusal(Answers.refusal(response))));
    }

    private static Refusal refusal(Response.Refused refused) {
        return new Refusal(ErrorMapper.codeOf(refused.error()), Optional.of(refused.message()));
    }
}
