/** Real Kafka brokers as child processes, of the current and of an old version, and requests to them word by word. */
@NullMarked
package io.muster.cluster.kafka;

import org.jspecify.annotations.NullMarked;
