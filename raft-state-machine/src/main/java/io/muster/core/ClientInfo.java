package io.muster.core;

/**
 * Who sent a heartbeat, as describe shows it.
 *
 * @param clientId the client id of the request header, empty if none
 * @param clientHost the peer's address as Kafka writes it, for example {@code /127.0.0.1}
 */
public record ClientInfo(String clientId, String clientHost) {}
