/** Tests of the core's own values. */
@NullMarked
package io.muster.core;

import org.jspecify.annotations.NullMarked;
