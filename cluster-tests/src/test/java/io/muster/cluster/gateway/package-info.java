/** A gateway before a real Kafka broker, with the coordinator scripted. */
@NullMarked
package io.muster.cluster.gateway;

import org.jspecify.annotations.NullMarked;
