/**
 * The claim's life: how Muster becomes a group's only member upstream, stays it, replaces its identity to fence late commits,
 * and gives the group up; and what it lets through meanwhile.
 *
 * <p>Pure. May depend on {@code io.muster.core} only.
 */
@NullMarked
package io.muster.core.claim;

import org.jspecify.annotations.NullMarked;
