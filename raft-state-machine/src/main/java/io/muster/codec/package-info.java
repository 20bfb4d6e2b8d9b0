/**
 * Says what a record writes in the store, under which keys and as versioned protobuf, and reads it back. A log entry carries the same
 * bytes: the leader encodes records once, and a node that applies an entry copies what it writes. The values that records are made of
 * have one protobuf form, which {@code io.muster.wire} uses as well.
 *
 * <p>May depend on {@code io.muster.core}, on the values of {@code io.muster.runtime} and {@code io.muster.storage} that it
 * translates, and on protobuf.
 */
@NullMarked
package io.muster.codec;

import org.jspecify.annotations.NullMarked;
