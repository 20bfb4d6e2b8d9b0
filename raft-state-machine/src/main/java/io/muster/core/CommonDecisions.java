package io.muster.core;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Decides on the commands that are the same for every group type. */
final class CommonDecisions {
    private final Map<GroupType, GroupLogic> types;
    private final ClaimRules claims;

    CommonDecisions(Map<GroupType, GroupLogic> types, ClaimRules claims) {
        this.types = types;
        this.claims = claims;
    }

    /** Returns whether nothing is left for the group type to do. */
    boolean accept(GroupDraft draft, int index, Arrival arrival) {
        Command command = arrival.command();
        if (command instanceof CommitCommand commit) {
            return acceptCommit(draft, index, arrival, commit);
        }
        if (command instanceof GroupCommand asked) {
            return acceptAsked(draft, index, arrival, asked);
        }
        if (command instanceof InternalCommand internal) {
            return acceptInternal(draft, index, arrival, internal);
        }
        return false;
    }

    private boolean acceptInternal(GroupDraft draft, int index, Arrival arrival, InternalCommand command) {
        if (command instanceof InternalCommand.ClaimReported || isClaimTimer(command)) {
            if (claims.accept(draft, index, arrival)) {
                draft.group()
                        .typed()
                        .type()
                        .ifPresent(type -> logicOf(type).removeAll(draft, "others may have had the group upstream"));
            }
            return true;
        }
        if (command instanceof InternalCommand.HistoryOutlived) {
            forgetHistory(draft);
            return true;
        }
        if (command instanceof InternalCommand.Loaded) {
            claims.accept(draft, index, arrival);
        }
        return false;
    }

    /** Only the leader's clock decides that the time is up; what follows is a record like any other. */
    private static void forgetHistory(GroupDraft draft) {
        Group group = draft.group();
        List<HistoryEntry> history = group.history();
        if (group.exists() || !(group.claim() instanceof Claim.None) || history.isEmpty()) {
            return;
        }
        long last = history.get(history.size() - 1).atMillis();
        if (last + draft.context().config().historyRetentionMillis()
                <= draft.context().wallMillis()) {
            draft.emit(new CommonRecord.HistoryForgotten());
        }
    }

    private static boolean isClaimTimer(InternalCommand command) {
        return command instanceof InternalCommand.TimerFired fired
                && switch (fired.timer().kind()) {
                    case CLAIM_HEARTBEAT, CLAIM_RETRY, CLAIM_RELEASE, CLAIM_HASTEN, CLAIM_SETTLE -> true;
                    case SESSION, REBALANCE, INITIAL_DELAY, ASSIGNMENT_INTERVAL, INTERNAL_TOPICS, PATIENCE -> false;
                };
    }

    private boolean acceptAsked(GroupDraft draft, int index, Arrival arrival, GroupCommand command) {
        Group group = draft.group();
        if (command instanceof GroupCommand.DescribeConfigs) {
            draft.reply(index, new Response.Configs(group.configs()));
            return true;
        }
        if (command instanceof GroupCommand.AlterConfigs alter) {
            return alterConfigs(draft, index, alter);
        }
        if (command instanceof GroupCommand.Describe && group.id().isEmpty()) {
            draft.refuse(index, GroupError.INVALID_GROUP_ID, "GroupId can't be empty.");
            return true;
        }
        Optional<GroupType> type = group.typed().type();
        if (command instanceof GroupCommand.History
                && (type.isPresent() || !group.history().isEmpty())) {
            draft.reply(index, new Response.GroupHistory(group.history()));
            return true;
        }
        if (type.isEmpty()) {
            draft.refuse(index, GroupError.GROUP_ID_NOT_FOUND, "Group " + group.id() + " not found.");
            return true;
        }
        if (type.get() != GroupType.STREAMS && isForStreams(command)) {
            draft.refuse(index, GroupError.GROUP_ID_NOT_FOUND, "Group " + group.id() + " is not a streams group.");
            return true;
        }
        if (command instanceof GroupCommand.Describe describe) {
            describe(draft, index, describe, type.get());
            return true;
        }
        if (command instanceof GroupCommand.Inspect) {
            inspect(draft, index, type.get());
            return true;
        }
        if (command instanceof GroupCommand.Delete || command instanceof GroupCommand.Release) {
            claims.accept(draft, index, arrival);
            return true;
        }
        return false;
    }

    private static boolean isForStreams(GroupCommand command) {
        return command instanceof GroupCommand.ResetTopology
                || command instanceof GroupCommand.UpdateTopologyDescription;
    }

    private void describe(GroupDraft draft, int index, GroupCommand.Describe describe, GroupType type) {
        Group group = draft.group();
        if (type != describe.type()) {
            String wanted = describe.type() == GroupType.CONSUMER ? "consumer" : "streams";
            draft.refuse(
                    index, GroupError.GROUP_ID_NOT_FOUND, "Group " + group.id() + " is not a " + wanted + " group.");
            return;
        }
        draft.reply(index, logicOf(type).describe(group, draft.context()));
    }

    private void inspect(GroupDraft draft, int index, GroupType type) {
        Group group = draft.group();
        GroupDescription description = logicOf(type).describe(group, draft.context());
        String claim = claims.describe(group, draft.memory());
        draft.reply(
                index,
                new GroupInspection(
                        description, claim, logicOf(type).waiting(group, draft.context()), group.history()));
    }

    /** Writes the group's configs; the group type then sees to their effect on a live group. */
    private boolean alterConfigs(GroupDraft draft, int index, GroupCommand.AlterConfigs alter) {
        Optional<String> complaint =
                GroupConfigs.complaint(alter.changes(), draft.context().config());
        if (complaint.isPresent()) {
            draft.refuse(index, GroupError.INVALID_CONFIG, complaint.get());
            return true;
        }
        SortedMap<String, String> next = new TreeMap<>(draft.group().configs());
        alter.changes().forEach((name, value) -> {
            next.remove(name);
            value.ifPresent(set -> next.put(name, set.trim()));
        });
        draft.reply(index, new Response.Done());
        if (alter.validateOnly() || next.equals(draft.group().configs())) {
            return true;
        }
        draft.emit(new CommonRecord.ConfigsSet(next));
        return false;
    }

    private boolean acceptCommit(GroupDraft draft, int index, Arrival arrival, CommitCommand command) {
        Optional<GroupType> type = draft.group().typed().type();
        if (command instanceof CommitCommand.Settled || type.isEmpty()) {
            claims.accept(draft, index, arrival);
            return true;
        }
        Optional<GroupError> refusal = Optional.empty();
        if (command instanceof CommitCommand.Admit admit) {
            refusal = logicOf(type.get()).judgeCommit(draft.group(), admit);
        } else if (command instanceof CommitCommand.AdmitFetch fetch) {
            refusal = logicOf(type.get()).judgeFetch(draft.group(), fetch);
        }
        if (refusal.isPresent()) {
            draft.reply(index, new Response.CommitRefused(refusal.get(), true));
            return true;
        }
        if (command instanceof CommitCommand.AdmitDelete delete) {
            java.util.TreeSet<String> allowed = new java.util.TreeSet<>(delete.topics());
            allowed.removeIf(topic -> logicOf(type.get()).consumes(draft.group(), topic));
            if (allowed.isEmpty() || claims.admitsDelete(draft, index, arrival)) {
                draft.reply(index, new Response.TopicsAllowed(allowed));
            }
            return true;
        }
        claims.accept(draft, index, arrival);
        return true;
    }

    private GroupLogic logicOf(GroupType type) {
        return java.util.Objects.requireNonNull(types.get(type), "no logic for this group type");
    }
}
