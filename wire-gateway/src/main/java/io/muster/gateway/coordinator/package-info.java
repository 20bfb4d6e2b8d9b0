/**
 * The gateway's way to the coordinator nodes: one multiplexed gRPC stream to each, commands by shard to its leader, the set of
 * owned groups.
 *
 * <p>May depend on {@code io.muster.core}, {@code io.muster.rpc} (codecs and protocol), the ports of {@code io.muster.runtime} and
 * gRPC.
 */
@NullMarked
package io.muster.gateway.coordinator;

import org.jspecify.annotations.NullMarked;
