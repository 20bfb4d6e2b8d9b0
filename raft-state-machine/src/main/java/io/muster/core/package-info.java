/**
 * The language of the domain: commands, groups, records, responses, and the engine that decides and evolves.
 *
 * <p>Pure values and functions: no clock, no random, no logging, no I/O. May depend on JDK values only.
 */
@NullMarked
package io.muster.core;

import org.jspecify.annotations.NullMarked;
