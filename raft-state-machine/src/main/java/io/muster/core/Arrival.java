package io.muster.core;

/**
 * A command as it stands in a group's mailbox.
 *
 * @param arrivedAtMillis the leader's monotonic milliseconds
 * @param freshId a random id (22 characters, URL-safe) for the member of a heartbeat that names none; else empty
 * @param mayWait whether the decision may leave it unanswered until something it needs is known; false once its patience ended
 */
public record Arrival(Command command, long arrivedAtMillis, String freshId, boolean mayWait) {}
