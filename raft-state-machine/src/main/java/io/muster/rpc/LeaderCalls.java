package io.muster.rpc;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** Has requests of operators answered by the node that leads their shard: this one, or another that is asked. */
final class LeaderCalls {
    private static final long TIMEOUT_MILLIS = 15_000;

    /** Each forwarded request has a field of this name: the asked node must lead the shard itself. */
    private static final String FORWARDED = "forwarded";

    private final NodeIdentity self;
    private final LocalShards shards;
    private final AdminPeers peers;

    LeaderCalls(NodeIdentity self, LocalShards shards, AdminPeers peers) {
        this.self = self;
        this.shards = shards;
        this.peers = peers;
    }

    /**
     * What answers a method at the leader of the request's shard.
     *
     * @param here answers where this node leads
     */
    <Q extends Message, A> Function<Q, CompletableFuture<A>> atLeader(
            MethodDescriptor<Q, A> method, ToIntFunction<Q> shard, Function<Q, CompletableFuture<A>> here) {
        return request -> ask(method, shard.applyAsInt(request), request, here);
    }

    /** Answers one request at the leader of a shard; UNAVAILABLE if it has none. */
    <Q extends Message, A> CompletableFuture<A> ask(
            MethodDescriptor<Q, A> method, int shard, Q request, Function<Q, CompletableFuture<A>> here) {
        if (shard < 0 || shard >= shards.count()) {
            return noSuchShard(shard);
        }
        ShardLeadership leadership = shards.leadership(shard);
        if (leadership.here()) {
            return here.apply(request);
        }
        String leader = leadership.leaderId();
        if (isForwarded(request) || leader.isEmpty() || leader.equals(self.nodeId())) {
            return failed(Status.UNAVAILABLE, "shard " + shard + " has no leader at the moment; try again");
        }
        return peers.ask(leader, method, forwarded(request), TIMEOUT_MILLIS);
    }

    <A> CompletableFuture<A> noSuchShard(int shard) {
        return failed(Status.INVALID_ARGUMENT, "there is no shard " + shard + "; the cluster has " + shards.count());
    }

    static <A> CompletableFuture<A> failed(Status status, String message) {
        return CompletableFuture.failedFuture(status.withDescription(message).asRuntimeException());
    }

    static boolean isForwarded(Message request) {
        return (boolean) request.getField(mark(request));
    }

    @SuppressWarnings("unchecked") // a builder builds what it was made from
    private static <Q extends Message> Q forwarded(Q request) {
        return (Q) request.toBuilder().setField(mark(request), true).build();
    }

    private static FieldDescriptor mark(Message request) {
        return request.getDescriptorForType().findFieldByName(FORWARDED);
    }
}
