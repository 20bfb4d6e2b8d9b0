/**
 * Offset requests of groups that Muster owns: admitted by the group's coordinator, rewritten to the claim's identity, sent on the
 * client's own connection in the client's order, and tried again when a fence overtook them or the coordinator was away.
 *
 * <p>May depend on {@code io.muster.core}, {@code io.muster.gateway.kafka.order} and Kafka's message classes; reaches the coordinator and upstream through its two ports
 * {@link io.muster.gateway.kafka.offsets.GroupCoordinator} and {@link io.muster.gateway.kafka.offsets.ClientUpstream}.
 */
@NullMarked
package io.muster.gateway.kafka.offsets;

import org.jspecify.annotations.NullMarked;
