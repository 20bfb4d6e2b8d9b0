package io.muster.rpc;

import io.muster.core.ShardTime;
import io.muster.runtime.ShardAnnouncements;
import io.muster.runtime.TopicWatch;
import io.muster.runtime.UpstreamClaims;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All gateways that are connected to this node: tells them of leadership and of owned groups, and works through them. */
public final class ConnectedGateways implements ShardAnnouncements {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectedGateways.class);

    private final List<ConnectedGateway> connected = new CopyOnWriteArrayList<>();
    private final Map<ConnectedGateway, List<String>> troubles = new ConcurrentHashMap<>();
    /** The latest time at which each shard's leader here recorded a connection. */
    private final Map<Integer, ShardTime> recorded = new ConcurrentHashMap<>();
    /** Gateways that read too slowly for the times; they hear the latest ones when they have caught up. */
    private final Set<ConnectedGateway> behind = ConcurrentHashMap.newKeySet();

    private final LocalShards shards;
    private final OwnedGroups owned;
    private final ClaimRequests claims;
    private final TopicLeases topics;

    public ConnectedGateways(LocalShards shards, ScheduledExecutorService timer) {
        this.shards = shards;
        this.owned = new OwnedGroups();
        this.claims = new ClaimRequests(connected, timer, shards);
        this.topics = new TopicLeases(connected, shards);
    }

    /** The port by which shard leaders act on their claims. */
    public UpstreamClaims upstreamClaims() {
        return claims;
    }

    /** The port by which the leader of a shard says which topics it needs. */
    public TopicWatch topicWatch(int shard) {
        return names -> topics.watch(shard, names);
    }

    /** Tells all gateways who leads a shard now. Where this node leads no longer, its watches end. */
    public void leadershipChanged(ShardLeadership leadership) {
        if (!leadership.here()) {
            topics.end(leadership.shard());
            owned.end(leadership.shard());
        }
        connected.forEach(gateway -> gateway.leadership(leadership));
    }

    @Override
    public void connectionRecorded(ShardTime time) {
        recorded.put(time.shard(), time);
        ShardLeadership leadership = leadership(time.shard());
        for (ConnectedGateway gateway : connected) {
            if (gateway.isReady()) {
                gateway.leadership(leadership);
            } else {
                behind.add(gateway);
            }
        }
    }

    private ShardLeadership leadership(int shard) {
        ShardLeadership leadership = shards.leadership(shard);
        ShardTime time = recorded.get(shard);
        return time == null ? leadership : leadership.at(time);
    }

    private void tellLeaderships(ConnectedGateway gateway) {
        for (int shard = 0; shard < shards.count(); shard++) {
            gateway.leadership(leadership(shard));
        }
    }

    @Override
    public void ownedAtStart(int shard, long term, SortedSet<String> groupIds) {
        owned.begin(shard, term, groupIds, connected);
    }

    @Override
    public void owned(int shard, long term, String groupId) {
        owned.change(shard, Set.of(groupId), Set.of(), connected);
    }

    @Override
    public void disowned(int shard, long term, String groupId) {
        owned.change(shard, Set.of(), Set.of(groupId), connected);
    }

    /** What operators should know of the gateways that are connected now, each with its id. */
    public List<String> troubles() {
        return connected.stream()
                .flatMap(gateway -> troubles.getOrDefault(gateway, List.of()).stream()
                        .map(trouble -> gateway.gatewayId() + ": " + trouble))
                .sorted()
                .toList();
    }

    /** How many gateways are connected now. */
    public int count() {
        return connected.size();
    }

    ClaimRequests claims() {
        return claims;
    }

    TopicLeases topics() {
        return topics;
    }

    void troubles(ConnectedGateway gateway, List<String> lines) {
        if (connected.contains(gateway)) {
            troubles.put(gateway, List.copyOf(lines));
        }
    }

    void add(ConnectedGateway gateway) {
        LOG.atInfo().addKeyValue("gatewayId", gateway.gatewayId()).log("a gateway connected");
        connected.add(gateway);
        tellLeaderships(gateway);
        owned.sendAll(gateway);
        topics.leaseAll();
    }

    void remove(ConnectedGateway gateway) {
        if (!connected.remove(gateway)) {
            return;
        }
        LOG.atInfo().addKeyValue("gatewayId", gateway.gatewayId()).log("a gateway disconnected");
        troubles.remove(gateway);
        behind.remove(gateway);
        owned.forget(gateway);
        claims.gone(gateway);
        topics.gone(gateway);
    }

    void readyAgain(ConnectedGateway gateway) {
        if (behind.remove(gateway)) {
            tellLeaderships(gateway);
        }
        owned.readyAgain(gateway);
        topics.readyAgain(gateway);
    }
}
