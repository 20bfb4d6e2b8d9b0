package io.muster.rpc;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.muster.codec.ValueCodec;
import io.muster.rpc.AdminPeers.Peer;
import io.muster.rpc.proto.PeerServiceGrpc;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.ClusterSecret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks the other nodes who they are, before this node joins anything. */
public final class PeerGreetings {
    private final NodeIdentity self;
    private final List<Peer> peers;
    private final @Nullable ClusterSecret secret;

    /** @param peers all nodes but this one */
    public PeerGreetings(NodeIdentity self, List<Peer> peers, @Nullable ClusterSecret secret) {
        this.self = self;
        this.peers = List.copyOf(peers);
        this.secret = secret;
    }

    /** What came back from a peer. */
    public sealed interface Answer {
        /**
         * It is a node of this cluster.
         *
         * @param cluster as it knows the cluster; its incarnation is empty if it knows of no founding
         * @param empty whether its data directory held nothing when it started
         */
        record Met(String nodeId, ClusterIdentity cluster, boolean empty) implements Answer {
            /** Whether the peer belongs to a cluster that was founded. */
            public boolean founded() {
                return !cluster.incarnation().isEmpty();
            }
        }

        /** Nobody answered there, or nobody who knows the secret. */
        record Silent(String nodeId, String reason) implements Answer {}

        /** It belongs to another cluster, is another node, or finds that of us. */
        record Stranger(String nodeId, String reason) implements Answer {}
    }

    /** Asks all peers, one after the other; blocks for this long for each at most. */
    public List<Answer> greetAll(Duration patience) {
        List<Answer> answers = new ArrayList<>();
        peers.forEach(peer -> answers.add(greet(peer, patience)));
        return answers;
    }

    private Answer greet(Peer peer, Duration patience) {
        ManagedChannel channel = Grpc.newChannelBuilderForAddress(
                        peer.host(), peer.port(), InsecureChannelCredentials.create())
                .intercept(new SecretProved(secret))
                .build();
        try {
            Wire.Greeting theirs = PeerServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .greet(self.greeting());
            return judge(peer, theirs);
        } catch (StatusRuntimeException e) {
            String reason = e.getStatus().getCode() + ": " + e.getStatus().getDescription();
            return switch (e.getStatus().getCode()) {
                case FAILED_PRECONDITION ->
                    new Answer.Stranger(
                            peer.nodeId(), String.valueOf(e.getStatus().getDescription()));
                default -> new Answer.Silent(peer.nodeId(), reason);
            };
        } finally {
            channel.shutdownNow();
        }
    }

    private Answer judge(Peer peer, Wire.Greeting theirs) {
        if (!theirs.getNodeId().equals(peer.nodeId())) {
            return new Answer.Stranger(
                    peer.nodeId(),
                    "at " + peer.address() + ", node.id is " + theirs.getNodeId() + " and not " + peer.nodeId());
        }
        ClusterIdentity cluster = ValueCodec.decode(theirs.getCluster());
        Optional<String> difference = cluster.differenceTo(self.cluster());
        return difference.isPresent()
                ? new Answer.Stranger(peer.nodeId(), "at node " + peer.nodeId() + ", " + difference.get())
                : new Answer.Met(peer.nodeId(), cluster, theirs.getEmpty());
    }
}
