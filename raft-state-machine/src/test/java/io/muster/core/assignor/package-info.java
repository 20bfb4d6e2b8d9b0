/** Tests of the assignors. */
@NullMarked
package io.muster.core.assignor;

import org.jspecify.annotations.NullMarked;
