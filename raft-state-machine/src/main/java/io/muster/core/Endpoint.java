package io.muster.core;

/**
 * Where a Streams instance answers interactive queries (KIP-1071).
 *
 * @param port 0 to 65535
 */
public record Endpoint(String host, int port) {}
