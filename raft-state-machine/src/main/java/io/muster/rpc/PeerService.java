package io.muster.rpc;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.muster.codec.ValueCodec;
import io.muster.rpc.proto.PeerServiceGrpc;
import io.muster.rpc.proto.Wire;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells other nodes who this one is, also before it has joined anything, and refuses those of another cluster. */
public final class PeerService extends PeerServiceGrpc.PeerServiceImplBase {
    private static final Logger LOG = LoggerFactory.getLogger(PeerService.class);

    private final NodeIdentity self;
    private final AtomicReference<String> lastComplaint = new AtomicReference<>("");

    public PeerService(NodeIdentity self) {
        this.self = self;
    }

    @Override
    public void greet(Wire.Greeting theirs, StreamObserver<Wire.Greeting> out) {
        Optional<String> difference = self.cluster()
                .differenceTo(ValueCodec.decode(theirs.getCluster()))
                .map(text -> "at node " + self.nodeId() + ", " + text);
        if (difference.isPresent()) {
            if (!difference.get().equals(lastComplaint.getAndSet(difference.get()))) {
                LOG.atWarn()
                        .addKeyValue("peerId", theirs.getNodeId())
                        .addKeyValue("reason", difference.get())
                        .log("a node is refused");
            }
            out.onError(
                    Status.FAILED_PRECONDITION.withDescription(difference.get()).asRuntimeException());
            return;
        }
        out.onNext(self.greeting());
        out.onCompleted();
    }
}
