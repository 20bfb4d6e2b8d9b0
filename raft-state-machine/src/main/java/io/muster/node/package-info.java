/**
 * The shards of one node: their leaders, threads, clock and ids.
 *
 * <p>May depend on every other package of this module but none of the gateway's or the command line's.
 */
@NullMarked
package io.muster.node;

import org.jspecify.annotations.NullMarked;
