package io.muster.core;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Decides on what Muster tells a group itself; gives the logic that has to conclude the decision, if any. */
record InternalDecisions(GroupTypes types, ClaimRules claims, DraftedArrival drafted)
        implements InternalCommand.Handler<Optional<GroupLogic<?, ?>>> {
    @Override
    public Optional<GroupLogic<?, ?>> on(InternalCommand.TimerFired fired) {
        return switch (fired.timer().kind()) {
            case CLAIM_HEARTBEAT, CLAIM_RETRY, CLAIM_RELEASE, CLAIM_HASTEN, CLAIM_SETTLE -> claim();
            case SESSION, REBALANCE, INITIAL_DELAY, ASSIGNMENT_INTERVAL, INTERNAL_TOPICS ->
                typed(logic -> logic.timerFired(drafted.draft(), fired));
            case PATIENCE -> Optional.empty();
        };
    }

    /** The heartbeats that wait for topics are decided on together with this. */
    @Override
    public Optional<GroupLogic<?, ?>> on(InternalCommand.TopicsChanged changed) {
        return typed(logic -> {});
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(InternalCommand.ClaimReported reported) {
        return claim();
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(InternalCommand.TargetComputed computed) {
        return typed(logic -> logic.targetComputed(drafted.draft(), computed));
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(InternalCommand.Loaded loaded) {
        claims.accept(drafted.draft(), drafted.index(), drafted.arrival());
        return typed(logic -> logic.loaded(drafted.draft()));
    }

    /** Only the leader's clock decides that the time is up; what follows is a record like any other. */
    @Override
    public Optional<GroupLogic<?, ?>> on(InternalCommand.HistoryOutlived outlived) {
        Group group = drafted.group();
        List<HistoryEntry> history = group.history();
        if (group.exists() || !(group.claim() instanceof Claim.None) || history.isEmpty()) {
            return Optional.empty();
        }
        DecisionContext context = drafted.draft().context();
        long last = history.get(history.size() - 1).atMillis();
        if (last + context.config().retention().historyMillis() <= context.wallMillis()) {
            drafted.draft().emit(new CommonRecord.HistoryForgotten());
        }
        return Optional.empty();
    }

    private Optional<GroupLogic<?, ?>> claim() {
        if (claims.accept(drafted.draft(), drafted.index(), drafted.arrival())) {
            types.of(drafted.group())
                    .ifPresent(logic -> logic.removeAll(drafted.draft(), "others may have had the group upstream"));
        }
        return Optional.empty();
    }

    private Optional<GroupLogic<?, ?>> typed(Consumer<GroupLogic<?, ?>> step) {
        Optional<GroupLogic<?, ?>> logic = types.of(drafted.group());
        logic.ifPresent(step);
        return logic;
    }
}
