/**
 * Kafka's protocol as the gateway speaks it: requests, what becomes of them, errors, and the addresses under which upstream's brokers
 * appear. What answers, checks, rewrites or passes requests is in {@code api}, one class per Kafka API.
 *
 * <p>May depend on {@code io.muster.core}, on {@code offsets}, {@code order} and {@code permissions}, and on Kafka's message classes;
 * knows no sockets, and nothing of {@code api}.
 */
@NullMarked
package io.muster.gateway.kafka;

import org.jspecify.annotations.NullMarked;
