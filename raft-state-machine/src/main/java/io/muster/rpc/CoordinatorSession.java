package io.muster.rpc;

import io.muster.core.ClaimOutcome;
import io.muster.core.Command;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.runtime.ShardRouter;
import io.muster.runtime.TopicReport;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one gateway asks of this node and reports to it, be it by way of gRPC or in the same process. Any thread; nothing blocks. From
 * its opening to its end the node tells the gateway of leadership and owned groups, and works through it.
 */
public final class CoordinatorSession implements AutoCloseable {
    /** How many requests of one gateway may be unanswered. */
    public static final int MAX_IN_FLIGHT = 4_096;

    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorSession.class);

    private final ConnectedGateway gateway;
    private final ConnectedGateways gateways;
    private final LocalShards shards;
    private final ShardRouter router;

    private CoordinatorSession(ConnectedGateway gateway, ConnectedGateways gateways, LocalShards shards) {
        this.gateway = gateway;
        this.gateways = gateways;
        this.shards = shards;
        this.router = new ShardRouter(shards.count());
    }

    /** Opens the session of a gateway, which hears of what is known before this returns. */
    static CoordinatorSession open(ConnectedGateway gateway, ConnectedGateways gateways, LocalShards shards) {
        CoordinatorSession session = new CoordinatorSession(gateway, gateways, shards);
        gateways.add(gateway);
        return session;
    }

    /** Has a command decided; the answer comes once, on any thread, maybe before this returns. */
    public void submit(Command command, Consumer<CoordinatorAnswer> answer) {
        ShardLeadership leadership = shards.leadership(router.shardOf(command.groupId()));
        if (!leadership.here()) {
            answer.accept(new CoordinatorAnswer.NotLeader(leadership));
            return;
        }
        var unused = shards.submit(command)
                .whenComplete((response, failure) -> answer.accept(
                        response != null ? new CoordinatorAnswer.Decided(response) : unavailable(failure)));
    }

    /**
     * Lists the groups of a shard; the answer comes once, on any thread, maybe before this returns.
     *
     * @throws IllegalArgumentException if there is no such shard
     */
    public void listGroups(int shard, Consumer<CoordinatorAnswer> answer) {
        if (shard < 0 || shard >= shards.count()) {
            throw new IllegalArgumentException("there is no shard " + shard);
        }
        ShardLeadership leadership = shards.leadership(shard);
        if (!leadership.here()) {
            answer.accept(new CoordinatorAnswer.NotLeader(leadership));
            return;
        }
        var unused = shards.listGroups(shard)
                .whenComplete((groups, failure) ->
                        answer.accept(groups != null ? new CoordinatorAnswer.Listed(groups) : unavailable(failure)));
    }

    private CoordinatorAnswer unavailable(@Nullable Throwable failure) {
        LOG.atError()
                .addKeyValue("gatewayId", gateway.gatewayId())
                .setCause(failure)
                .log("a request failed");
        return new CoordinatorAnswer.Decided(
                new Response.Refused(GroupError.COORDINATOR_NOT_AVAILABLE, "internal error: " + failure));
    }

    /** The outcome of a claim operation that the gateway was given. */
    public void claimReported(long operationId, ClaimOutcome outcome) {
        gateways.claims().reported(gateway, operationId, outcome);
    }

    /** What the gateway found out about topics under a lease. */
    public void topicsReported(int shard, long lease, TopicReport report) {
        gateways.topics().reported(gateway, shard, lease, report);
    }

    /** A CreateTopics, DeleteTopics or CreatePartitions went through the gateway. */
    public void topicsTouched(Set<String> names, Set<String> deleted) {
        gateways.topics().touched(names, deleted);
    }

    /** What operators should know of the gateway, instead of what it said before. */
    public void troubles(List<String> lines) {
        gateways.troubles(gateway, lines);
    }

    /** The gateway keeps up again, see {@link ConnectedGateway#isReady}. */
    void readyAgain() {
        gateways.readyAgain(gateway);
    }

    /** Ends the session; what the gateway was to do is given to others. */
    @Override
    public void close() {
        gateways.remove(gateway);
    }
}
