package io.muster.rpc;

import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.muster.core.Limits;
import io.muster.runtime.ClusterSecret;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The admin services of all nodes, this one's included; connects when first asked. */
public final class AdminPeers implements AutoCloseable {
    private final @Nullable ClusterSecret secret;
    private final SortedMap<String, Peer> peers = new TreeMap<>();
    private final ConcurrentMap<String, ManagedChannel> channels = new ConcurrentHashMap<>();

    /** @param secret what proves this node to the others; null if the cluster has none */
    public AdminPeers(List<Peer> peers, @Nullable ClusterSecret secret) {
        this.secret = secret;
        peers.forEach(peer -> this.peers.put(peer.nodeId(), peer));
    }

    /** A node's id and where its services listen. */
    public record Peer(String nodeId, String host, int port) {
        String address() {
            return host + ":" + port;
        }
    }

    List<Peer> all() {
        return List.copyOf(peers.values());
    }

    boolean knows(String nodeId) {
        return peers.containsKey(nodeId);
    }

    /** Asks a node; completes exceptionally with gRPC's status if it does not answer in time. */
    <Q, A> CompletableFuture<A> ask(String nodeId, MethodDescriptor<Q, A> method, Q request, long timeoutMillis) {
        Peer peer = peers.get(nodeId);
        if (peer == null) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("there is no node " + nodeId));
        }
        ManagedChannel channel = channels.computeIfAbsent(
                nodeId,
                id -> Grpc.newChannelBuilderForAddress(peer.host(), peer.port(), InsecureChannelCredentials.create())
                        .intercept(new SecretProved(secret))
                        .maxInboundMessageSize(Limits.DEFAULT.answerBytes())
                        .build());
        PeerAnswer<A> answer = new PeerAnswer<>();
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(timeoutMillis, TimeUnit.MILLISECONDS);
        ClientCalls.asyncUnaryCall(channel.newCall(method, options), request, answer);
        return answer.future;
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
    }

    private static final class PeerAnswer<A> implements StreamObserver<A> {
        private final CompletableFuture<A> future = new CompletableFuture<>();

        @Override
        public void onNext(A value) {
            future.complete(value);
        }

        @Override
        public void onError(Throwable failure) {
            future.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            future.completeExceptionally(new IllegalStateException("no answer"));
        }
    }
}
