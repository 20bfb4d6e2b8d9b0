/**
 * The shard's log and state machine over Apache Ratis.
 *
 * <p>May depend on Ratis (nothing else in Muster may), on {@code io.muster.runtime} whose ports it implements, on {@code
 * io.muster.codec} and {@code io.muster.storage}. {@link io.muster.raft.EntryApplier} and {@link io.muster.raft.StoredGroups} know
 * nothing of Ratis, so that the simulation runs them as they are.
 */
@NullMarked
package io.muster.raft;

import org.jspecify.annotations.NullMarked;
