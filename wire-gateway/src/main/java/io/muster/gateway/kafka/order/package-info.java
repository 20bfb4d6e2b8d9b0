/**
 * The order in which the requests of one connection take effect. A broker handles them strictly one after the other; here a request
 * waits for those before it only where a client could see the difference, so that groups do not wait for each other and a heartbeat
 * does not wait for upstream. Why it waits for what is said in docs/adr/0008.
 *
 * <p>May depend on the JDK only.
 */
@NullMarked
package io.muster.gateway.kafka.order;

import org.jspecify.annotations.NullMarked;
