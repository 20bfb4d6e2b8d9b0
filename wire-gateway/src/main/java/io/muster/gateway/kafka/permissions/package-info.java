/**
 * What a client may do, as the brokers' own authorizer says it on the client's own connection: nothing here knows principals.
 *
 * <p>May depend on Kafka's message classes and the port {@link io.muster.gateway.kafka.offsets.ClientUpstream}.
 */
@NullMarked
package io.muster.gateway.kafka.permissions;

import org.jspecify.annotations.NullMarked;
