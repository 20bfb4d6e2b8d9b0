package io.muster.core;

/** The sum of a task's changelog offsets (KIP-1071). */
public record TaskOffset(String subtopologyId, int partition, long offset) {}
