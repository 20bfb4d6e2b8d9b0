/** Random faults of nodes, machines, networks and brokers, for as long as one likes, under clients of every kind. */
@NullMarked
package io.muster.cluster.soak;

import org.jspecify.annotations.NullMarked;
