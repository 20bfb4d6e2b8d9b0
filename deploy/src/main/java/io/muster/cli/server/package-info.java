/**
 * {@code muster server}: puts a node together from its parts, starts it and stops it. The composition root.
 *
 * <p>May depend on everything.
 */
@NullMarked
package io.muster.cli.server;

import org.jspecify.annotations.NullMarked;
