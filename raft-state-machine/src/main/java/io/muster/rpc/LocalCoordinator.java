package io.muster.rpc;

/** The node of this process, for the gateway of this process: what gRPC carries for all others is called directly. */
public record LocalCoordinator(ConnectedGateways gateways, LocalShards shards, NodeIdentity node) {
    /** Connects the gateway, which hears of what is known before this returns. */
    public CoordinatorSession connect(ConnectedGateway gateway) {
        return CoordinatorSession.open(gateway, gateways, shards);
    }
}
