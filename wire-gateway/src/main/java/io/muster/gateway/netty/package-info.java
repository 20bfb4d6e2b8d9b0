/**
 * The gateway's server: a port for each upstream broker, frames, replies in the order of the requests, back-pressure.
 *
 * <p>May depend on Netty and the other packages of the gateway; knows no Kafka API by name.
 */
@NullMarked
package io.muster.gateway.netty;

import org.jspecify.annotations.NullMarked;
