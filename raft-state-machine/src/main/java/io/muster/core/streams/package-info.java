/**
 * Streams groups (KIP-1071): topology, tasks, members, and how a group moves from one assignment to the next.
 *
 * <p>Pure values and functions, like all of the core. May depend on {@code io.muster.core},
 * on {@code io.muster.core.group} and on the task assignors.
 */
@NullMarked
package io.muster.core.streams;

import org.jspecify.annotations.NullMarked;
