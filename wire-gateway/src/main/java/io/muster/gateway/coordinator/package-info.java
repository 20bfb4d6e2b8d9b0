/**
 * The gateway's sessions with the coordinator nodes: one multiplexed gRPC stream to each node of another process, direct calls of the
 * node of its own process; commands by shard to its leader, the set of owned groups.
 *
 * <p>May depend on {@code io.muster.core}, {@code io.muster.rpc}, {@code io.muster.wire}, the ports of {@code io.muster.runtime} and gRPC.
 */
@NullMarked
package io.muster.gateway.coordinator;

import org.jspecify.annotations.NullMarked;
