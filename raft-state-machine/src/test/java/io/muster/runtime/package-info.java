/** Tests of the shard's leader and its parts, in virtual time. */
@NullMarked
package io.muster.runtime;

import org.jspecify.annotations.NullMarked;
