package io.muster.core;

/** The outcome of what a heartbeat's answer asked of a gateway. The group may be gone meanwhile: then it is of no use. */
public interface GatewayReport {}
