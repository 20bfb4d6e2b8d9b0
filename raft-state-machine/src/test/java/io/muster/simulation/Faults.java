package io.muster.simulation;

/** What goes wrong with nodes and gateways, until it is calm. */
final class Faults {
    private final VirtualTime time;
    private final SimulatedCluster cluster;

    Faults(SimulatedCluster cluster) {
        this.time = cluster.time();
        this.cluster = cluster;
        time.after(2_000, this::strikeNode);
        time.after(3_000, this::strikeGateway);
    }

    private void strikeNode() {
        if (time.isCalm()) {
            return;
        }
        SimulatedNode node = cluster.node(time.pick(SimulatedCluster.NODES));
        int what = time.pick(100);
        if (what < 10) {
            crashAtOnce(node);
        } else if (what < 24) {
            cutFromOneFollower();
        } else if (what < 40) {
            cluster.leader().ifPresent(leader -> crashAtOnce(leader.node()));
        } else if (what < 48) {
            cluster.nodes().forEach(this::crashAtOnce);
        } else if (what < 64) {
            node.stop(time.pick(2) == 0 ? time.pick(1_000) : time.pick(8_000));
        } else if (what < 76) {
            partition(node.id());
        } else if (what < 79) {
            wipe(node);
        } else if (what < 82) {
            wipeWhileOneLags(node);
        } else if (what < 90) {
            node.clock().jump();
        } else {
            overload();
        }
        time.after(500 + time.pick(time.pick(3) == 0 ? 40_000 : 9_000), this::strikeNode);
    }

    private void crashAtOnce(SimulatedNode node) {
        if (node.isUp() || node.isJoining()) {
            cluster.crash(node);
        }
    }

    /** The follower calls an election that the other one, who hears of its leader, takes part in. */
    private void cutFromOneFollower() {
        cluster.leader().ifPresent(leader -> {
            int id = leader.node().id();
            int other = (id + 1 + time.pick(2)) % SimulatedCluster.NODES;
            cluster.network().cut(id, other, 1_500);
            cluster.network().cut(other, id, 1_500);
        });
    }

    private void partition(int node) {
        long millis = time.pick(8_000);
        for (int other = 0; other < SimulatedCluster.NODES; other++) {
            if (other != node && time.pick(3) > 0) {
                cluster.network().cut(node, other, millis);
                if (time.pick(4) > 0) {
                    cluster.network().cut(other, node, millis);
                }
            }
        }
    }

    /** Only while both others hold the shard: a majority that forgets is beyond repair. */
    private void wipe(SimulatedNode node) {
        boolean othersHold = cluster.nodes().stream()
                .filter(other -> other != node)
                .allMatch(other -> other.disk().holdsShard());
        if (othersHold && cluster.leader().isPresent()) {
            node.wipe();
            time.after(100 + time.pick(2_000), node::start);
        }
    }

    /** What the leader and this node have, the third has not: the node loses it, and the leader dies. */
    private void wipeWhileOneLags(SimulatedNode node) {
        cluster.leader()
                .map(ShardProcess::node)
                .filter(leader -> leader != node)
                .ifPresent(leader -> {
                    cluster.nodes().stream()
                            .filter(other -> other != node && other != leader)
                            .forEach(other -> other.stop(3_000));
                    time.after(2_900, () -> {
                        wipe(node);
                        crashAtOnce(leader);
                    });
                });
    }

    /** The leader's node is busy with other things for a good while. */
    private void overload() {
        cluster.leader().map(ShardProcess::node).ifPresent(node -> {
            node.slowness(200 + time.pick(700));
            time.after(10_000 + time.pick(60_000), () -> node.slowness(0));
        });
    }

    private void strikeGateway() {
        if (!time.isCalm()) {
            cluster.gateway().stop(time.pick(12_000));
            time.after(3_000 + time.pick(20_000), this::strikeGateway);
        }
    }
}
