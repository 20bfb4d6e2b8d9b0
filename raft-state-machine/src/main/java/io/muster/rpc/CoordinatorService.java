package io.muster.rpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.muster.rpc.proto.CoordinatorServiceGrpc;
import io.muster.rpc.proto.Wire;
import java.util.concurrent.Executor;

/** Serves the gateways of other processes: one stream each. */
public final class CoordinatorService extends CoordinatorServiceGrpc.CoordinatorServiceImplBase {
    private final ConnectedGateways gateways;
    private final LocalShards shards;
    private final NodeIdentity node;
    private final Executor sender;

    /** @param sender the thread of the connections: sends the replies */
    public CoordinatorService(ConnectedGateways gateways, LocalShards shards, NodeIdentity node, Executor sender) {
        this.gateways = gateways;
        this.shards = shards;
        this.node = node;
        this.sender = sender;
    }

    @Override
    public StreamObserver<Wire.GatewayFrame> connect(StreamObserver<Wire.NodeFrame> out) {
        return new GatewayStream((ServerCallStreamObserver<Wire.NodeFrame>) out, gateways, shards, node, sender);
    }
}
