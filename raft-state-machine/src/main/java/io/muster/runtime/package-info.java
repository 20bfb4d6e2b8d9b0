/**
 * Runs the core: one thread of decisions a shard, a mailbox a group, and the ports to the log, the store and the outside.
 *
 * <p>May depend on {@code io.muster.core} and on nothing else of Muster.
 */
@NullMarked
package io.muster.runtime;

import org.jspecify.annotations.NullMarked;
