package io.muster.runtime;

import io.muster.core.Claim;
import io.muster.core.CoordinatorConfig;
import io.muster.core.Decision;
import io.muster.core.DecisionContext;
import io.muster.core.FeatureLevel;
import io.muster.core.Group;
import io.muster.core.GroupEngine;
import io.muster.core.InternalCommand;
import java.util.List;

/** Decides on a group's commands, on the state that was loaded and in the context of the moment. Confined to the shard's thread. */
final class GroupDecider {
    private final ShardParts parts;
    private final GroupEngine engine;
    private final CoordinatorConfig config;
    private final ShardChanges changes;

    GroupDecider(ShardParts parts, GroupEngine engine, CoordinatorConfig config, ShardChanges changes) {
        this.parts = parts;
        this.engine = engine;
        this.config = config;
        this.changes = changes;
    }

    /** Loads the group if it is not in memory; one that is there to be seen to gets {@link InternalCommand.Loaded} first. */
    void load(GroupMailbox mailbox) {
        if (mailbox.isLoaded()) {
            return;
        }
        parts.reader().load(mailbox);
        Group group = mailbox.group();
        if (group.exists() || !(group.claim() instanceof Claim.None)) {
            mailbox.putBack(List.of(parts.pending(new InternalCommand.Loaded(mailbox.groupId()))));
        }
    }

    /** @throws RuntimeException if there is a defect, or the store cannot be read; nothing is changed then */
    Decision decide(GroupMailbox mailbox, List<PendingCommand> commands) {
        int featureLevel = changes.featureLevel();
        long now = parts.ports().clock().monotonicMillis();
        DecisionContext context = new DecisionContext(
                now,
                parts.ports().clock().wallMillis(),
                parts.topics().createdAtMillis(),
                parts.topics().catalogue(),
                config,
                mailbox.memory(),
                featureLevel,
                parts.admissions().timeOf(commands));
        Decision decision = engine.decide(
                mailbox.group(),
                commands.stream().map(command -> command.arrival(now)).toList(),
                context);
        requireAgreed(decision, featureLevel);
        parts.admissions().decided(decision.records());
        return decision;
    }

    /** Nothing is written that a node of the agreed level could not read. */
    private static void requireAgreed(Decision decision, int featureLevel) {
        decision.records().forEach(record -> {
            if (FeatureLevel.of(record) > featureLevel) {
                throw new IllegalStateException("feature level " + featureLevel + " has no " + record);
            }
        });
    }
}
