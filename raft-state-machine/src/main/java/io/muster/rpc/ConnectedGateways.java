package io.muster.rpc;

import io.muster.rpc.proto.Wire;
import io.muster.runtime.OwnedGroupsListener;
import io.muster.runtime.TopicWatch;
import io.muster.runtime.UpstreamClaims;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All gateways that are connected to this node: tells them of leadership and of owned groups, and works through them. */
public final class ConnectedGateways implements OwnedGroupsListener {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectedGateways.class);

    private final List<GatewayStream> streams = new CopyOnWriteArrayList<>();
    private final LocalShards shards;
    private final OwnedGroups owned;
    private final ClaimRequests claims;
    private final TopicLeases topics;

    public ConnectedGateways(LocalShards shards, ScheduledExecutorService timer) {
        this.shards = shards;
        this.owned = new OwnedGroups();
        this.claims = new ClaimRequests(streams, timer, shards);
        this.topics = new TopicLeases(streams, shards);
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
        Wire.NodeFrame frame =
                Wire.NodeFrame.newBuilder().setLeadership(encode(leadership)).build();
        streams.forEach(stream -> stream.send(frame));
    }

    @Override
    public void ownedAtStart(int shard, long term, SortedSet<String> groupIds) {
        owned.begin(shard, term, groupIds, streams);
    }

    @Override
    public void owned(int shard, long term, String groupId) {
        owned.change(shard, Set.of(groupId), Set.of(), streams);
    }

    @Override
    public void disowned(int shard, long term, String groupId) {
        owned.change(shard, Set.of(), Set.of(groupId), streams);
    }

    /** What operators should know of the gateways that are connected now, each with its id. */
    public List<String> troubles() {
        return streams.stream()
                .flatMap(stream -> stream.troubles().stream().map(trouble -> stream.gatewayId() + ": " + trouble))
                .sorted()
                .toList();
    }

    /** How many gateways are connected now. */
    public int count() {
        return streams.size();
    }

    ClaimRequests claims() {
        return claims;
    }

    TopicLeases topics() {
        return topics;
    }

    void add(GatewayStream stream) {
        LOG.atInfo().addKeyValue("gatewayId", stream.gatewayId()).log("a gateway connected");
        streams.add(stream);
        for (int shard = 0; shard < shards.count(); shard++) {
            stream.send(Wire.NodeFrame.newBuilder()
                    .setLeadership(encode(shards.leadership(shard)))
                    .build());
        }
        owned.sendAll(stream);
        topics.leaseAll();
    }

    void remove(GatewayStream stream) {
        if (!streams.remove(stream)) {
            return;
        }
        LOG.atInfo().addKeyValue("gatewayId", stream.gatewayId()).log("a gateway disconnected");
        owned.forget(stream);
        claims.gone(stream);
        topics.gone(stream);
    }

    void readyAgain(GatewayStream stream) {
        owned.readyAgain(stream);
        topics.readyAgain(stream);
    }

    static Wire.Leadership encode(ShardLeadership leadership) {
        return Wire.Leadership.newBuilder()
                .setShard(leadership.shard())
                .setTerm(leadership.term())
                .setLeaderId(leadership.leaderId())
                .setHere(leadership.here())
                .build();
    }
}
