package io.muster.raft;

import io.muster.runtime.ClusterSecret;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets only this cluster's nodes speak to the Raft server. Ratis's admin service, by which anybody could take the cluster apart, is
 * closed to all: Muster asks its own server without a network in between.
 */
final class RaftPortGuard implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(RaftPortGuard.class);
    private static final Set<String> SERVICES = Set.of(
            "ratis.grpc.RaftServerProtocolService", "ratis.grpc.RaftClientProtocolService", "muster.raft.JoinService");

    private final @Nullable ClusterSecret secret;
    private final String nodeId;
    private final Supplier<String> incarnation;
    private final AtomicReference<String> lastComplaint = new AtomicReference<>("");

    /**
     * @param secret null if everybody who reaches the port may speak
     * @param incarnation of the cluster that this node belongs to; empty while it belongs to none
     */
    RaftPortGuard(@Nullable ClusterSecret secret, String nodeId, Supplier<String> incarnation) {
        this.secret = secret;
        this.nodeId = nodeId;
        this.incarnation = incarnation;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String service = String.valueOf(call.getMethodDescriptor().getServiceName());
        if (secret != null && !secret.accepts(ClusterSecret.Port.RAFT, headers.get(RaftCallHeaders.TOKEN))) {
            return refuse(call, Status.UNAUTHENTICATED, "without the cluster's secret");
        }
        if (!SERVICES.contains(service)) {
            return refuse(call, Status.PERMISSION_DENIED, "for " + service);
        }
        Optional<String> mismatch = mismatch(headers);
        return mismatch.isPresent()
                ? refuse(call, Status.FAILED_PRECONDITION.withDescription(mismatch.get()), mismatch.get())
                : next.startCall(call, headers);
    }

    /** The caller has proved the secret, but it means another node, or another cluster of this secret. */
    private Optional<String> mismatch(Metadata headers) {
        String meant = headers.get(RaftCallHeaders.NODE);
        if (meant != null && !meant.equals(nodeId)) {
            return Optional.of("this is node " + nodeId + ", not " + meant + ": the addresses under nodes differ");
        }
        String theirs = headers.get(RaftCallHeaders.INCARNATION);
        String ours = incarnation.get();
        return theirs == null || theirs.isEmpty() || ours.isEmpty() || theirs.equals(ours)
                ? Optional.empty()
                : Optional.of("this node belongs to cluster incarnation " + ours + ", the caller to " + theirs);
    }

    private <Q, A> ServerCall.Listener<Q> refuse(ServerCall<Q, A> call, Status status, String complaint) {
        if (!complaint.equals(lastComplaint.getAndSet(complaint))) {
            LOG.atWarn()
                    .addKeyValue("nodeId", nodeId)
                    .addKeyValue("reason", complaint)
                    .log("a call is refused");
        }
        call.close(status, new Metadata());
        return new ServerCall.Listener<>() {};
    }
}
