package io.muster.gateway.coordinator;

import io.muster.rpc.ConnectedGateway.OwnedChange;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The groups that Muster owns, as the shards' leaders tell. What an earlier leader told stands until the next one has told. */
final class OwnedGroupIds {
    private final Map<Integer, Shard> shards = new ConcurrentHashMap<>();
    private final Map<Source, Set<String>> incomplete = new HashMap<>();

    private record Shard(long term, Set<String> groupIds) {}

    private record Source(NodeSession session, int shard) {}

    boolean contains(int shard, String groupId) {
        Shard known = shards.get(shard);
        return known != null && known.groupIds().contains(groupId);
    }

    /** Whether the leader of this term, or a later one, has told which groups the shard owns. */
    boolean isToldBy(int shard, long term) {
        Shard known = shards.get(shard);
        return known != null && known.term() >= term;
    }

    /** A group that was just answered as a live one. */
    void add(int shard, String groupId) {
        Shard known = shards.get(shard);
        if (known != null && !known.groupIds().contains(groupId)) {
            known.groupIds().add(groupId);
        }
    }

    synchronized void accept(NodeSession session, OwnedChange news) {
        Shard known = shards.get(news.shard());
        if (known != null && news.term() < known.term()) {
            return;
        }
        if (!news.snapshot()) {
            if (known != null && news.term() == known.term()) {
                known.groupIds().addAll(news.added());
                news.removed().forEach(known.groupIds()::remove);
            }
            return;
        }
        Source source = new Source(session, news.shard());
        if (news.first()) {
            incomplete.put(source, new HashSet<>());
        }
        Set<String> groupIds = incomplete.get(source);
        if (groupIds == null) {
            return;
        }
        groupIds.addAll(news.added());
        if (news.last()) {
            incomplete.remove(source);
            Set<String> complete = ConcurrentHashMap.newKeySet();
            complete.addAll(groupIds);
            shards.put(news.shard(), new Shard(news.term(), complete));
        }
    }

    synchronized void closed(NodeSession session) {
        incomplete.keySet().removeIf(source -> source.session() == session);
    }
}
