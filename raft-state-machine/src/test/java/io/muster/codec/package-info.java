/** Tests of records as bytes and in the store. */
@NullMarked
package io.muster.codec;

import org.jspecify.annotations.NullMarked;
