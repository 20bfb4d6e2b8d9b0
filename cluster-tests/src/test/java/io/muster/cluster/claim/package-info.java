/** The claim on real brokers: a broker product counts as supported once these pass on it. */
@NullMarked
package io.muster.cluster.claim;

import org.jspecify.annotations.NullMarked;
