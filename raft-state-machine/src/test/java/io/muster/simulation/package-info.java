/** A shard's leaders on a fake log in virtual time, driven by a seed: what no broken network or leader change may break. */
@NullMarked
package io.muster.simulation;

import org.jspecify.annotations.NullMarked;
