package io.muster.core;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Decides on what clients and operators ask of groups of any type; gives the logic that has to conclude the decision, if any. */
record GroupCommandDecisions(GroupTypes types, ClaimRules claims, DraftedArrival drafted)
        implements GroupCommand.Handler<Optional<GroupLogic<?, ?>>> {
    @Override
    public Optional<GroupLogic<?, ?>> on(GroupCommand.Describe describe) {
        if (drafted.group().id().isEmpty()) {
            drafted.refuse(GroupError.INVALID_GROUP_ID, "GroupId can't be empty.");
            return Optional.empty();
        }
        return done(logic -> {
            if (logic.type() == describe.type()) {
                drafted.reply(logic.describe(drafted.group(), drafted.draft().context()));
            } else {
                drafted.refuseOther(describe.type());
            }
        });
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(GroupCommand.Inspect inspect) {
        return done(logic -> {
            Group group = drafted.group();
            DecisionContext context = drafted.draft().context();
            drafted.reply(new GroupInspection(
                    logic.describe(group, context),
                    claims.describe(group, drafted.draft().memory()),
                    logic.waiting(group, context),
                    group.history()));
        });
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(GroupCommand.History command) {
        Group group = drafted.group();
        if (group.exists() || !group.history().isEmpty()) {
            drafted.reply(new Response.GroupHistory(group.history()));
        } else {
            drafted.refuseNotFound();
        }
        return Optional.empty();
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(GroupCommand.Delete delete) {
        return done(logic -> claims.accept(drafted.draft(), drafted.index(), drafted.arrival()));
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(GroupCommand.Release release) {
        return done(logic -> claims.accept(drafted.draft(), drafted.index(), drafted.arrival()));
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(GroupCommand.RemoveMembers remove) {
        return concluded(logic -> logic.removeMembers(drafted.draft(), drafted.index(), remove));
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(GroupCommand.ShortenSession shorten) {
        return concluded(logic -> logic.shortenSession(drafted.draft(), drafted.index(), shorten));
    }

    /** Writes the group's configs; the group type then sees to their effect on a live group. */
    @Override
    public Optional<GroupLogic<?, ?>> on(GroupCommand.AlterConfigs alter) {
        GroupDraft draft = drafted.draft();
        Optional<String> complaint =
                GroupConfigs.complaint(alter.changes(), draft.context().config());
        if (complaint.isPresent()) {
            drafted.refuse(GroupError.INVALID_CONFIG, complaint.get());
            return Optional.empty();
        }
        SortedMap<String, String> next = new TreeMap<>(draft.group().configs());
        alter.changes().forEach((name, value) -> {
            next.remove(name);
            value.ifPresent(set -> next.put(name, set.trim()));
        });
        drafted.reply(new Response.Done());
        if (alter.validateOnly() || next.equals(draft.group().configs())) {
            return Optional.empty();
        }
        draft.emit(new CommonRecord.ConfigsSet(next));
        Optional<GroupLogic<?, ?>> logic = types.of(draft.group());
        logic.ifPresent(some -> some.configsChanged(draft));
        return logic;
    }

    @Override
    public Optional<GroupLogic<?, ?>> on(GroupCommand.DescribeConfigs describe) {
        drafted.reply(new Response.Configs(drafted.group().configs()));
        return Optional.empty();
    }

    /** Does something for a group that exists, and refuses the command if it does not. */
    private Optional<GroupLogic<?, ?>> concluded(Consumer<GroupLogic<?, ?>> step) {
        Optional<GroupLogic<?, ?>> logic = types.of(drafted.group());
        logic.ifPresentOrElse(step, drafted::refuseNotFound);
        return logic;
    }

    /** The same, if that is all there is to do. */
    private Optional<GroupLogic<?, ?>> done(Consumer<GroupLogic<?, ?>> step) {
        concluded(step);
        return Optional.empty();
    }
}
