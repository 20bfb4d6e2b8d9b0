/**
 * What the group types share: the member index, timers, removal, the judgement of commits, validation, the
 * adoption of a target, and the skeleton of their logic.
 *
 * <p>May depend on {@code io.muster.core}.
 */
@NullMarked
package io.muster.core.group;

import org.jspecify.annotations.NullMarked;
