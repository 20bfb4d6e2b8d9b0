/**
 * Translates commands, responses and what the upstream claim asks to and from protobuf, for the coordinator stream and the admin
 * service.
 *
 * <p>May depend on {@code io.muster.core}, the values of {@code io.muster.runtime} that travel, the mappers of values in
 * {@code io.muster.codec}, and protobuf; not on gRPC.
 */
@NullMarked
package io.muster.wire;

import org.jspecify.annotations.NullMarked;
