/** Tests of consumer groups: golden stories, properties, tables. */
@NullMarked
package io.muster.core.consumer;

import org.jspecify.annotations.NullMarked;
