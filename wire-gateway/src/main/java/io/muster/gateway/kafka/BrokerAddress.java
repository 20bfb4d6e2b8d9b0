package io.muster.gateway.kafka;

/** Where a broker listens. */
public record BrokerAddress(String host, int port) {}
