/**
 * {@code muster quickstart}: Apache Kafka, three Muster nodes and a word-count application on one machine.
 *
 * <p>May depend on everything; nothing depends on it.
 */
@NullMarked
package io.muster.cli.quickstart;

import org.jspecify.annotations.NullMarked;
