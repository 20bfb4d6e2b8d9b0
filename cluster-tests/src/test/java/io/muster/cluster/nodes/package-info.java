/** Real Muster nodes as child processes before real brokers, and faults done to them. May use {@code ..cluster.kafka}. */
@NullMarked
package io.muster.cluster.nodes;

import org.jspecify.annotations.NullMarked;
