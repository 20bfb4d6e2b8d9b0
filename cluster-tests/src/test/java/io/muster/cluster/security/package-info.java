/** Clients that may not do everything, before brokers with a real authorizer. */
@NullMarked
package io.muster.cluster.security;

import org.jspecify.annotations.NullMarked;
