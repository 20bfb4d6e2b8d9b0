/** The pipeline of client connections: framing, bounds, times, and a whole gateway before a stand-in broker. */
@NullMarked
package io.muster.gateway.netty;

import org.jspecify.annotations.NullMarked;
