package io.muster.cluster.nodes;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.muster.cluster.kafka.Relay;
import io.muster.rpc.proto.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A proxy between gateways and a node that can hold back all answers of the node from one admission of a commit on. */
public final class RpcProxy implements AutoCloseable {
    private final AtomicReference<@Nullable Hold> next = new AtomicReference<>();
    private final Relay relay;

    /** Opens a proxy to this port of this machine. */
    public RpcProxy(int destination) {
        this.relay = new Relay(destination, () -> {
            Crossing crossing = new Crossing();
            return new Relay.Drivers(crossing::there, crossing::back);
        });
    }

    /** The port where it begins. */
    public int port() {
        return relay.port();
    }

    /** Once the next commit of the group asks for admission, its gateway hears nothing more of the node until it is let go. */
    public Hold holdAdmission(String groupId) {
        Hold hold = new Hold(groupId);
        next.set(hold);
        return hold;
    }

    @Override
    public void close() {
        relay.close();
    }

    /** What the node says to one gateway, held back. */
    public static final class Hold {
        private final String groupId;
        private final CountDownLatch admitted = new CountDownLatch(1);
        private final ByteArrayOutputStream heldBack = new ByteArrayOutputStream();
        private volatile long correlationId;
        private @Nullable OutputStream gateway;
        private boolean over;

        private Hold(String groupId) {
            this.groupId = groupId;
        }

        /** Waits until the node has admitted the commit; the gateway does not know it yet. */
        public void awaitAdmitted(Duration limit) throws InterruptedException {
            if (!admitted.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("no commit of " + groupId + " was admitted within " + limit);
            }
        }

        /** Hands all of it over; when this returns, it waits in the gateway's socket. */
        public synchronized void release() {
            over = true;
            try {
                if (gateway != null) {
                    heldBack.writeTo(gateway);
                }
            } catch (IOException e) {
                throw new AssertionError("the gateway's connection is gone", e);
            }
        }

        private synchronized void keepOrPass(GrpcFrames.Frame frame, OutputStream to) throws IOException {
            if (over) {
                frame.bytes().writeTo(to);
                return;
            }
            gateway = to;
            frame.bytes().writeTo(heldBack);
            if (frame.messages().stream().anyMatch(this::admits)) {
                admitted.countDown();
            }
        }

        private boolean admits(ByteString message) {
            try {
                return Wire.NodeFrame.parseFrom(message).getReplies().getRepliesList().stream()
                        .anyMatch(reply -> reply.getCorrelationId() == correlationId
                                && reply.getResponse().hasCommitAdmitted());
            } catch (InvalidProtocolBufferException ofAnotherService) {
                return false;
            }
        }

        /** The number of a request in the frame to admit a commit of the group, 0 if there is none. */
        private long requestIn(GrpcFrames.Frame frame) {
            return frame.messages().stream()
                    .mapToLong(this::requestIn)
                    .filter(id -> id != 0)
                    .findFirst()
                    .orElse(0);
        }

        private long requestIn(ByteString message) {
            try {
                return Wire.GatewayFrame.parseFrom(message).getRequests().getRequestsList().stream()
                        .filter(request -> request.getCommand().hasAdmitCommit()
                                && request.getCommand().getGroupId().equals(groupId))
                        .mapToLong(Wire.Request::getCorrelationId)
                        .findFirst()
                        .orElse(0);
            } catch (InvalidProtocolBufferException ofAnotherService) {
                return 0;
            }
        }
    }

    /** One connection. */
    private final class Crossing {
        private volatile @Nullable Hold hold;

        void there(InputStream from, OutputStream to) throws IOException {
            GrpcFrames frames = new GrpcFrames(from);
            to.write(frames.preface());
            while (true) {
                GrpcFrames.Frame frame = frames.next();
                Hold waiting = next.get();
                long request = waiting == null ? 0 : waiting.requestIn(frame);
                if (waiting != null && request != 0 && next.compareAndSet(waiting, null)) {
                    waiting.correlationId = request;
                    hold = waiting;
                }
                frame.bytes().writeTo(to);
            }
        }

        void back(InputStream from, OutputStream to) throws IOException {
            GrpcFrames frames = new GrpcFrames(from);
            while (true) {
                GrpcFrames.Frame frame = frames.next();
                Hold standing = hold;
                if (standing == null) {
                    frame.bytes().writeTo(to);
                } else {
                    standing.keepOrPass(frame, to);
                }
            }
        }
    }
}
