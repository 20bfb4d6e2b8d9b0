/**
 * The gRPC services of a node: the coordinator stream for gateways and the admin service for people, with the translation of
 * commands and responses.
 *
 * <p>May depend on {@code io.muster.core}, the ports of {@code io.muster.runtime} and gRPC.
 */
@NullMarked
package io.muster.rpc;

import org.jspecify.annotations.NullMarked;
