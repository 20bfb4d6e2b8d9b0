package io.muster.core;

/**
 * The connection by which a member has committed last.
 *
 * @param id see {@link CommitCommand.Connection}
 * @param recordedAt the logical time of its first commit: a connection that was opened after it is newer
 */
public record CommitConnection(String id, ShardTime recordedAt) {}
