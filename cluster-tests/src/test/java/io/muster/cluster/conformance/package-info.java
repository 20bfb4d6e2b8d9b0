/**
 * Scripted Kafka requests and what Apache Kafka 4.4.0 answered to them, held against a live Kafka 4.4.0 and against Muster. The
 * scripts lie in the resources {@code conformance/cases}, the answers in {@code conformance/expected}.
 */
@NullMarked
package io.muster.cluster.conformance;

import org.jspecify.annotations.NullMarked;
