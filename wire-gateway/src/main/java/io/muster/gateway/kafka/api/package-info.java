/**
 * One class per Kafka API that Muster answers, or checks before it goes upstream.
 *
 * <p>May depend on {@code io.muster.core}, the other packages of {@code io.muster.gateway.kafka} and Kafka's message classes.
 */
@NullMarked
package io.muster.gateway.kafka.api;

import org.jspecify.annotations.NullMarked;
