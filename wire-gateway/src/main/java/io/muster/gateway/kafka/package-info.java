/**
 * Kafka's protocol as the gateway speaks it: which requests are answered, checked, rewritten or passed, one class per Kafka API in
 * {@code api}, and the addresses under which upstream's brokers appear.
 *
 * <p>May depend on {@code io.muster.core}, {@code io.muster.gateway.coordinator} and Kafka's message classes; knows no sockets.
 */
@NullMarked
package io.muster.gateway.kafka;

import org.jspecify.annotations.NullMarked;
