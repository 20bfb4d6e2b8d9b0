package io.muster.core;

/**
 * A command as it stands in a group's mailbox.
 *
 * @param arrivedAtMillis the leader's monotonic milliseconds
 * @param freshId a random id (22 characters, URL-safe) for whatever the decision has to name, such as a member of version 0
 * @param mayWait whether the decision may leave it unanswered until something it needs is known; false once its patience ended
 */
public record Arrival(Command command, long arrivedAtMillis, String freshId, boolean mayWait) {}
