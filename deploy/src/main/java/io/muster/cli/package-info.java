/**
 * The {@code muster} command: what users and operators type. The parts that it puts together lie in the packages below.
 *
 * <p>May depend on everything.
 */
@NullMarked
package io.muster.cli;

import org.jspecify.annotations.NullMarked;
