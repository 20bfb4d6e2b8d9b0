package io.muster.gateway.kafka;

import io.muster.core.ClientInfo;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import io.muster.gateway.kafka.permissions.Permissions;

/** One client connection, as the APIs see it. */
public interface ClientSession {
    /** The broker at whose port the client connected. */
    int brokerId();

    /** Who sent the request. */
    ClientInfo client(KafkaRequest request);

    /** Whether the brokers do not ask who a client is. */
    boolean isAnonymous();

    /** The client's own connection to that broker. */
    ClientUpstream upstream();

    /** What the client may do. */
    Permissions permissions();

    /** Offset requests of this connection, in order. */
    OffsetRequests offsets();
}
