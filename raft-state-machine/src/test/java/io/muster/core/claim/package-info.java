/** Tests of the claim's state machine. May depend on {@code io.muster.core} only. */
@NullMarked
package io.muster.core.claim;

import org.jspecify.annotations.NullMarked;
