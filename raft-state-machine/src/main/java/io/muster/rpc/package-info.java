/**
 * The gRPC services of a node: the coordinator stream for gateways, the admin service for people and greetings between nodes.
 * Whoever calls them proves the cluster's secret first. The gateway of the node's own process has the same session as the streams of
 * the others, without a stream.
 *
 * <p>May depend on {@code io.muster.core}, {@code io.muster.wire}, the ports of {@code io.muster.runtime} and gRPC.
 */
@NullMarked
package io.muster.rpc;

import org.jspecify.annotations.NullMarked;
