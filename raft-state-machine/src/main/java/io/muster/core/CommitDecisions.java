package io.muster.core;

import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** Decides on offset requests: the group type judges them, and the claim lets them through. */
record CommitDecisions(GroupTypes types, ClaimRules claims, DraftedArrival drafted)
        implements CommitCommand.Handler<Optional<GroupLogic<?, ?>>> {
    @Override
    public Optional<GroupLogic<?, ?>> on(CommitCommand.Admit admit) {
        return judged(logic -> logic.judgeCommit(drafted.group(), admit));
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(CommitCommand.AdmitFetch fetch) {
        return judged(logic -> logic.judgeFetch(drafted.group(), fetch));
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(CommitCommand.Settled settled) {
        return claim();
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(CommitCommand.AdmitDelete delete) {
        Optional<GroupLogic<?, ?>> logic = types.of(drafted.group());
        if (logic.isEmpty()) {
            return claim();
        }
        TreeSet<String> allowed = new TreeSet<>(delete.topics());
        allowed.removeIf(topic -> logic.get().consumes(drafted.group(), topic));
        if (allowed.isEmpty() || claims.admitsDelete(drafted.draft(), drafted.index(), drafted.arrival())) {
            drafted.reply(new Response.TopicsAllowed(allowed));
        }
        return Optional.empty();
    }

    private Optional<GroupLogic<?, ?>> judged(Function<GroupLogic<?, ?>, Optional<GroupError>> judge) {
        Optional<GroupError> refusal = types.of(drafted.group()).flatMap(judge);
        if (refusal.isEmpty()) {
            return claim();
        }
        drafted.reply(new Response.CommitRefused(refusal.get(), true));
        return Optional.empty();
    }

    private Optional<GroupLogic<?, ?>> claim() {
        claims.accept(drafted.draft(), drafted.index(), drafted.arrival());
        return Optional.empty();
    }
}
