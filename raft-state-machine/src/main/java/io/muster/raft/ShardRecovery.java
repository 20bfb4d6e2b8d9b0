package io.muster.raft;

import io.muster.raft.StoreCheck.Finding;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.server.protocol.TermIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out whether shards can be opened as they lie on the disk, and gets what is missing with the help of the other members. */
final class ShardRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(ShardRecovery.class);

    private final StoreFactory stores;
    private final Joining joining;
    /** The last entries of the logs whose term and vote are lost, by shard; until they are found. */
    private final Map<UUID, TermIndex> lostVotes = new ConcurrentHashMap<>();

    ShardRecovery(StoreFactory stores, Joining joining) {
        this.stores = stores;
        this.joining = joining;
    }

    /** Whether a shard can be opened as it lies on the disk; what must not be is set aside. */
    boolean isWhole(int shard, ShardPlace place) throws IOException {
        StoreCheck check = new StoreCheck(place, stores);
        Finding found = check.find();
        return switch (found.condition()) {
            case NOTHING -> false;
            case WHOLE -> true;
            case VOTE_LOST -> {
                lostVotes.put(place.group(), check.lastKnown());
                yield false;
            }
            case FOREIGN_STORE -> {
                LOG.atError()
                        .addKeyValue("shard", shard)
                        .addKeyValue("reason", found.reason())
                        .addKeyValue("setAside", place.setAside(false))
                        .log("the store is not that of the Raft log; it was set aside and is built again");
                yield isWhole(shard, place);
            }
            case LOST -> {
                setAsideAll(shard, place, found.reason());
                yield false;
            }
        };
    }

    private void setAsideAll(int shard, ShardPlace place, String reason) throws IOException {
        if (joining.isAlone()) {
            throw new IOException(
                    "shard " + shard + " cannot be opened, since " + reason
                            + ", and no other node has the shard: put the data directory back as it was, or empty it to begin anew");
        }
        LOG.atError()
                .addKeyValue("shard", shard)
                .addKeyValue("reason", reason)
                .addKeyValue("setAside", place.setAside(true))
                .log("store and Raft log do not belong together; both were set aside and are fetched from the leader");
    }

    /** Gets what a shard lacks to be opened; returns when that is done, however long it takes. */
    void complete(int shard, ShardPlace place) throws IOException {
        TermIndex last = lostVotes.get(place.group());
        if (last == null) {
            joining.join(shard, place);
        } else {
            joining.findTerm(shard, place, last.getTerm());
        }
    }

    /** What this node says of a shard that is not open. */
    Standing standing(ShardPlace place) throws IOException {
        Optional<TermIndex> last = Optional.ofNullable(lostVotes.get(place.group()));
        if (last.isPresent()) {
            return new Standing(
                    Standing.Kind.VOTE_LOST, last.get().getTerm(), last.get().getIndex());
        }
        return place.isLost() ? Standing.LOST : Standing.NOTHING;
    }
}
