/** Ordinary Kafka clients behind Muster's gateways, and what they must not notice. May use {@code ..cluster.kafka} and {@code ..cluster.nodes}. */
@NullMarked
package io.muster.cluster.clients;

import org.jspecify.annotations.NullMarked;
