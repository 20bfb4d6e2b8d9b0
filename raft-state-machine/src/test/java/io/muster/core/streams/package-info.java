/** Tests of Streams groups: golden stories, properties, tables. */
@NullMarked
package io.muster.core.streams;

import org.jspecify.annotations.NullMarked;
