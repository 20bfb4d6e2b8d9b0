package io.muster.runtime;

import io.muster.core.Effect;
import io.muster.core.InternalCommand;
import io.muster.core.TargetComputation;
import io.muster.core.TargetComputation.ComputedTarget;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts what decisions ask for outside of them, and brings the outcomes back as commands to the leadership that decided. */
final class StartedEffects {
    private static final Logger LOG = LoggerFactory.getLogger(StartedEffects.class);

    private final int shard;
    private final ShardPorts ports;
    private final Outcomes outcomes;

    /** Takes the outcomes of effects. */
    interface Outcomes {
        /** @param term of the decision that asked for the effect. Called on any thread */
        void take(long term, InternalCommand outcome);
    }

    StartedEffects(int shard, ShardPorts ports, Outcomes outcomes) {
        this.shard = shard;
        this.ports = ports;
        this.outcomes = outcomes;
    }

    /** @param term of the decision that asks for it */
    void start(long term, Effect effect) {
        Consumer<InternalCommand> report = outcome -> outcomes.take(term, outcome);
        if (effect instanceof Effect.ClaimUpstream claim) {
            ports.claims()
                    .start(
                            claim.groupId(),
                            claim.operation(),
                            outcome -> report.accept(
                                    new InternalCommand.ClaimReported(claim.groupId(), claim.operation(), outcome)));
        } else if (effect instanceof Effect.ComputeTarget compute) {
            String groupId = compute.groupId();
            ports.timers()
                    .executeAside(() -> report.accept(
                            new InternalCommand.TargetComputed(groupId, compute(groupId, compute.computation()))));
        }
    }

    private Optional<ComputedTarget> compute(String groupId, TargetComputation computation) {
        try {
            return Optional.of(computation.compute());
        } catch (RuntimeException e) {
            LOG.atError()
                    .addKeyValue("groupId", groupId)
                    .addKeyValue("shard", shard)
                    .setCause(e)
                    .log("the group's target cannot be computed");
            return Optional.empty();
        }
    }
}
