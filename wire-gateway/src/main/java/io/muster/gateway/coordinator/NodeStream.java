package io.muster.gateway.coordinator;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.muster.core.Limits;
import io.muster.rpc.proto.Wire;
import io.muster.wire.InvalidFrameException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One opened stream to a node, from its start to its end. */
final class NodeStream implements ClientResponseObserver<Wire.GatewayFrame, Wire.NodeFrame> {
    private static final Logger LOG = LoggerFactory.getLogger(NodeStream.class);

    private final String nodeId;
    private final Events events;
    private @Nullable ClientCallStreamObserver<Wire.GatewayFrame> out;
    private boolean ended;

    /** Told of what happens on the stream, one call after the other. */
    interface Events {
        void frame(NodeStream stream, Wire.NodeFrame frame);

        void ready(NodeStream stream);

        void ended(NodeStream stream, Status status);
    }

    NodeStream(String nodeId, Events events) {
        this.nodeId = nodeId;
        this.events = events;
    }

    String nodeId() {
        return nodeId;
    }

    synchronized boolean isReady() {
        return !ended && out != null && out.isReady();
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    /** Sends a frame; nothing happens if the stream has ended, or if the frame is so large that it would end it. */
    synchronized void send(Wire.GatewayFrame frame) {
        if (frame.getSerializedSize() > Limits.DEFAULT.messageBytes()) {
            LOG.atError()
                    .addKeyValue("nodeId", nodeId)
                    .addKeyValue("kind", frame.getFrameCase())
                    .addKeyValue("bytes", frame.getSerializedSize())
                    .log("a message to a node is too large and is not sent");
            return;
        }
        if (!ended && out != null) {
            out.onNext(frame);
        }
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<Wire.GatewayFrame> call) {
        synchronized (this) {
            out = call;
        }
        call.setOnReadyHandler(() -> events.ready(this));
    }

    @Override
    public void onNext(Wire.NodeFrame frame) {
        try {
            events.frame(this, frame);
        } catch (InvalidFrameException e) {
            cancel(e);
        }
    }

    @Override
    public void onError(Throwable failure) {
        end(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
        end(Status.OK);
    }

    /** Ends the stream from this side, before anything of it counted. */
    void refuse(Status reason) {
        end(reason);
        cancel(null);
    }

    /** Ends the stream from this side. */
    void cancel(@Nullable Throwable cause) {
        ClientCallStreamObserver<Wire.GatewayFrame> call;
        synchronized (this) {
            call = out;
        }
        if (call != null) {
            call.cancel("ended by the gateway", cause);
        }
    }

    private void end(Status status) {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        events.ended(this, status);
    }
}
