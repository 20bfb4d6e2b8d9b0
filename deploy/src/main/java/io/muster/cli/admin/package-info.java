/**
 * The commands for operators: clients of the admin service.
 *
 * <p>May depend on {@code io.muster.rpc}, on picocli and on Jackson.
 */
@NullMarked
package io.muster.cli.admin;

import org.jspecify.annotations.NullMarked;
