/**
 * Connections to the upstream Kafka cluster, and what Muster does there: claims with its own principal, requests on a client's
 * behalf on the client's own connection.
 *
 * <p>May depend on {@code io.muster.core}, the ports of {@code io.muster.runtime} and Kafka's client classes.
 */
@NullMarked
package io.muster.gateway.upstream;

import org.jspecify.annotations.NullMarked;
