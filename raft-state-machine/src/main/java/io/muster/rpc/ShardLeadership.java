package io.muster.rpc;

import io.muster.core.ShardTime;
import java.util.Optional;

/**
 * Who leads a shard, as this node knows it.
 *
 * @param term Raft term of that knowledge; the higher one is right
 * @param leaderId node id, empty if unknown
 * @param here whether this node leads and is ready to decide
 * @param recordedAt number of the latest {@link ShardTime} of this term at which a connection was recorded, 0 if there was none
 */
public record ShardLeadership(int shard, long term, String leaderId, boolean here, long recordedAt) {
    /** A leadership in which no connection was recorded yet, or of another node. */
    public ShardLeadership(int shard, long term, String leaderId, boolean here) {
        this(shard, term, leaderId, here, 0);
    }

    /** What a leader knows to be past: all that earlier terms recorded, and this one up to now. Other nodes know of no time. */
    public Optional<ShardTime> time() {
        return here ? Optional.of(new ShardTime(shard, term, recordedAt)) : Optional.empty();
    }

    /** This leadership at a time that may be later; unchanged if the time is of another term. */
    ShardLeadership at(ShardTime time) {
        return here && time.term() == term && time.number() > recordedAt
                ? new ShardLeadership(shard, term, leaderId, true, time.number())
                : this;
    }
}
