/** Benchmarks (JMH), compiled and run in the profile {@code bench} only. May depend on everything. */
@NullMarked
package io.muster.bench;

import org.jspecify.annotations.NullMarked;
