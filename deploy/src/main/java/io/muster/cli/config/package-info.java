/**
 * The configuration file of a node: read once, checked completely, then passed on as values.
 *
 * <p>May depend on Jackson and on the configuration records of the modules.
 */
@NullMarked
package io.muster.cli.config;

import org.jspecify.annotations.NullMarked;
