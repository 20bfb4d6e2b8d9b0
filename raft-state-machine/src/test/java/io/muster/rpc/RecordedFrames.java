package io.muster.rpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.muster.rpc.proto.Wire;
import java.util.ArrayList;
import java.util.List;

/** The end of a stream to a gateway that keeps what is sent, and says whether the gateway keeps up. */
final class RecordedFrames extends ServerCallStreamObserver<Wire.NodeFrame> {
    final List<Wire.NodeFrame> frames = new ArrayList<>();
    boolean ready = true;

    @Override
    public void onNext(Wire.NodeFrame frame) {
        frames.add(frame);
    }

    @Override
    public boolean isReady() {
        return ready;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void setCompression(String compression) {}

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void disableAutoRequest() {}

    @Override
    public void request(int count) {}

    @Override
    public void setMessageCompression(boolean enable) {}
}
