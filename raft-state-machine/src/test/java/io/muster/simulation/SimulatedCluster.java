package io.muster.simulation;

import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.Command;
import io.muster.core.CoordinatorConfig;
import io.muster.core.Group;
import io.muster.core.GroupEngine;
import io.muster.core.Response;
import io.muster.core.ShardTime;
import io.muster.core.claim.ClaimLogic;
import io.muster.core.consumer.ConsumerGroupLogic;
import io.muster.core.streams.StreamsGroupLogic;
import io.muster.runtime.InspectedLeader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Three nodes, two gateways, a network, an upstream cluster, and what must hold of them. */
final class SimulatedCluster {
    static final int NODES = 3;
    private static final int GATEWAYS = 2;
    private static final long CHECK_MILLIS = 500;

    private final VirtualTime time;
    private final WeakenedRules rules;
    private final CoordinatorConfig config;
    private final SimulatedTopics topics;
    private final Checks checks;
    private final Network network;
    private final UpstreamCoordinator upstream;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<SimulatedGateway> gateways = new ArrayList<>();
    private final List<String> groupIds;
    private final Map<String, Compared> compared = new HashMap<>();
    private Optional<Leadership> lastLeadership = Optional.empty();
    private long leadsSince;

    SimulatedCluster(VirtualTime time, Path directory, List<String> groupIds, WeakenedRules rules) {
        this.time = time;
        this.rules = rules;
        this.groupIds = groupIds;
        this.config = SimulatedConfig.pick(time);
        this.topics = new SimulatedTopics(time);
        this.checks = new Checks(time, topics, config.consumer().sessionTimeoutMillis());
        this.network = new Network(time);
        this.upstream = new UpstreamCoordinator(time, checks.offsets());
        for (int id = 0; id < NODES; id++) {
            nodes.add(new SimulatedNode(id, this, time, directory.resolve("node-" + id)));
        }
        for (int id = 0; id < GATEWAYS; id++) {
            gateways.add(new SimulatedGateway(id, time, this));
        }
        nodes.forEach(SimulatedNode::start);
        time.after(CHECK_MILLIS, this::checkNowAndThen);
    }

    VirtualTime time() {
        return time;
    }

    WeakenedRules rules() {
        return rules;
    }

    CoordinatorConfig config() {
        return config;
    }

    SimulatedTopics topics() {
        return topics;
    }

    Checks checks() {
        return checks;
    }

    Network network() {
        return network;
    }

    UpstreamCoordinator upstream() {
        return upstream;
    }

    SimulatedNode node(int id) {
        return nodes.get(id);
    }

    List<SimulatedNode> nodes() {
        return nodes;
    }

    List<SimulatedGateway> gateways() {
        return gateways;
    }

    SimulatedGateway gateway() {
        return gateways.get(time.pick(GATEWAYS));
    }

    /** The product's engine, whose decisions take as long as the node is slow. */
    GroupEngine engine(SimulatedNode node) {
        ClaimLogic claims = new ClaimLogic();
        return new GroupEngine(
                SlowLogic.of(new ConsumerGroupLogic(claims), node::work),
                SlowLogic.of(new StreamsGroupLogic(claims), node::work),
                claims);
    }

    void startClaim(ShardProcess process, String groupId, ClaimOperation operation, Consumer<ClaimOutcome> report) {
        process.after(
                1,
                () -> upstream.start(
                        groupId, operation, outcome -> process.after(1 + time.pick(3), () -> report.accept(outcome))));
    }

    /** A gateway hears of it soon, late, or, when the node dies with it, never. */
    void tellGateways(ShardProcess process, ShardTime recorded) {
        for (SimulatedGateway gateway : gateways) {
            process.after(time.pick(3), () -> gateway.told(recorded));
        }
    }

    // ---- who leads

    /** The node that leads in the newest term and is ready. */
    Optional<ShardProcess> leader() {
        return nodes.stream()
                .flatMap(node -> node.process().stream())
                .filter(process -> process.raft().isReady())
                .max(java.util.Comparator.comparingLong(
                        process -> process.raft().term()));
    }

    // ---- requests

    private SimulatedNode target() {
        Optional<ShardProcess> leading = time.chance(10) ? Optional.empty() : leader();
        return leading.map(ShardProcess::node).orElseGet(() -> nodes.get(time.pick(NODES)));
    }

    CompletableFuture<Response> submit(Command command) {
        return target().submit(command);
    }

    /** Sends a command; {@code hear} runs as an event of its own, so that what it finds wrong comes to light. */
    void ask(Command command, Consumer<Response> hear) {
        CompletableFuture<Void> unused =
                submit(command).thenAccept(response -> time.after(0, () -> hear.accept(response)));
    }

    /** Sends a member's own request; {@code hear} gets what the node had applied then, too. */
    void askAsMember(Command command, String memberId, BiConsumer<Long, Response> hear) {
        SimulatedNode to = target();
        long applied = to.process()
                .filter(process -> !process.isInstalling())
                .map(process -> process.machine().store().appliedIndex().index())
                .orElse(0L);
        if (to.isUp()) {
            checks.sessions().sign(command.groupId(), memberId);
        }
        CompletableFuture<Void> unused = to.submit(command).thenAccept(response -> {
            if (!(response instanceof Response.Refused)) {
                checks.sessions().sign(command.groupId(), memberId);
            }
            time.after(0, () -> hear.accept(applied, response));
        });
    }

    // ---- checks

    /** After each task of a leader: what it has in memory is what its store says. */
    void checkMemory(ShardProcess process) {
        boolean leads = leader().filter(leading -> leading == process).isPresent()
                && InspectedLeader.term(process.shard()) == process.raft().term();
        if (!leads) {
            return;
        }
        groupIds.forEach(groupId -> InspectedLeader.settledGroup(process.shard(), groupId)
                .filter(inMemory -> isNews(process, inMemory))
                .ifPresent(inMemory -> {
                    Group stored = process.group(groupId);
                    if (!inMemory.equals(stored)) {
                        throw new AssertionError("group " + groupId + " in the memory of " + process.node()
                                + " is not what its store says:\n" + inMemory + "\n" + stored);
                    }
                }));
    }

    /** What was compared last of each group; comparing the same again would take most of the time. */
    private record Compared(ShardProcess process, int inMemory, long changedAt) {}

    private boolean isNews(ShardProcess process, Group inMemory) {
        Compared now = new Compared(
                process, System.identityHashCode(inMemory), checks.groups().changedAt(inMemory.id()));
        return !now.equals(compared.put(inMemory.id(), now));
    }

    /** One process may lead in several terms: it begins anew in each. */
    private record Leadership(ShardProcess process, long term) {}

    private void checkNowAndThen() {
        checks.requests().check();
        Optional<Leadership> leading =
                leader().map(process -> new Leadership(process, process.raft().term()));
        if (!leading.equals(lastLeadership)) {
            lastLeadership = leading;
            leadsSince = time.now();
        }
        leading.ifPresent(leadership -> {
            long since = Math.max(leadsSince, leadership.process().node().undisturbedSince());
            for (String groupId : groupIds) {
                checks.sessions().check(groupId, checks.groups().membersOf(groupId), since);
            }
        });
        time.after(CHECK_MILLIS, this::checkNowAndThen);
    }

    /** A node says that it must not go on: that is never right here. */
    void fatal(SimulatedNode node, String reason, Throwable cause) {
        time.fail(new AssertionError(node + " stops: " + reason, cause));
    }

    /** The process dies, and is started again after a while. */
    void crash(SimulatedNode node) {
        node.kill();
        time.after(500 + time.pick(3_000), node::start);
    }

    /** Once everything is applied everywhere: no errors, and equal stores. */
    void settled() {
        List<String> digests = new ArrayList<>();
        for (SimulatedNode node : nodes) {
            ShardProcess process = node.process().orElseThrow();
            long failures = process.shard().counters().counts().failures();
            if (failures > 0) {
                throw new AssertionError(node + " had " + failures + " exceptions");
            }
            digests.add(process.digest());
        }
        if (digests.stream().distinct().count() > 1) {
            throw new AssertionError("stores are not equal: " + digests);
        }
    }
}
