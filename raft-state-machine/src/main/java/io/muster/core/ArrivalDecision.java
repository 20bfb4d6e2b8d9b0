package io.muster.core;

import java.util.Optional;

/** Decides on one arrival as far as it goes without a new target; gives the logic that has to conclude the decision, if any. */
record ArrivalDecision(GroupTypes types, ClaimRules claims, DraftedArrival drafted)
        implements Command.Handler<Optional<GroupLogic<?, ?>>> {
    @Override
    public Optional<GroupLogic<?, ?>> on(ConsumerCommand command) {
        return typed(types.consumer(), command);
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(StreamsCommand command) {
        return typed(types.streams(), command);
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(GroupCommand command) {
        return command.accept(new GroupCommandDecisions(types, claims, drafted));
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(CommitCommand command) {
        return command.accept(new CommitDecisions(types, claims, drafted));
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(InternalCommand command) {
        Optional<GroupLogic<?, ?>> logic = command.accept(new InternalDecisions(types, claims, drafted));
        drafted.reply(new Response.Done());
        return logic;
    }

    private <C extends Command> Optional<GroupLogic<?, ?>> typed(GroupLogic<C, ?> logic, C command) {
        boolean isOfType =
                drafted.group().typed().type().filter(logic.type()::equals).isPresent();
        if (isOfType || command instanceof MemberHeartbeat) {
            logic.accept(drafted.draft(), drafted.index(), drafted.arrival(), command);
            return Optional.of(logic);
        }
        if (command instanceof GatewayReport) {
            drafted.reply(new Response.Done());
        } else if (drafted.group().exists()) {
            drafted.refuseOther(logic.type());
        } else {
            drafted.refuseNotFound();
        }
        return Optional.empty();
    }
}
