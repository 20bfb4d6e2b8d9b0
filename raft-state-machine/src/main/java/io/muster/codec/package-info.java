/**
 * Translates records and log entries to and from versioned protobuf, and says under which key of the store a record lies.
 *
 * <p>May depend on {@code io.muster.core}, on the values of {@code io.muster.runtime} and {@code io.muster.storage} that it
 * translates, and on protobuf.
 */
@NullMarked
package io.muster.codec;

import org.jspecify.annotations.NullMarked;
