/**
 * Partition and task assignors, one class each, and their registries.
 *
 * <p>Pure functions. May depend on {@code io.muster.core} only.
 */
@NullMarked
package io.muster.core.assignor;

import org.jspecify.annotations.NullMarked;
