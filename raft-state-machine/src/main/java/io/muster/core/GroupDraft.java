package io.muster.core;

import io.muster.core.Decision.Reply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * A decision in the making: emitting a record also evolves the draft, so later steps see earlier ones. Lives within one call of
 * {@link GroupEngine#decide}.
 */
public final class GroupDraft {
    private final BiFunction<Group, GroupRecord, Group> evolver;
    private final DecisionContext context;
    private final List<GroupRecord> records = new ArrayList<>();
    private final List<Reply> replies = new ArrayList<>();
    private final List<TimerChange> timers = new ArrayList<>();
    private final List<Effect> effects = new ArrayList<>();
    private final TreeSet<Integer> waiting = new TreeSet<>();
    private final Set<Integer> answered = new HashSet<>();
    private final TreeSet<String> topicsNeeded = new TreeSet<>();
    private final Group before;
    private Group group;
    private LeaderMemory memory;

    public GroupDraft(Group group, DecisionContext context, BiFunction<Group, GroupRecord, Group> evolver) {
        this.before = group;
        this.group = group;
        this.context = context;
        this.evolver = evolver;
        this.memory = context.memory();
    }

    public Group group() {
        return group;
    }

    /** The group as it was before this decision. */
    public Group before() {
        return before;
    }

    public DecisionContext context() {
        return context;
    }

    public LeaderMemory memory() {
        return memory;
    }

    /** The group's effective value of a config of {@link GroupConfigs} that is an int. */
    public int config(String name) {
        return GroupConfigs.effective(group, name, context.config());
    }

    public void emit(GroupRecord record) {
        records.add(record);
        group = evolver.apply(group, record);
    }

    public void reply(int arrival, Response response) {
        if (!answered.add(arrival)) {
            throw new IllegalStateException("answered twice, the second time with " + response);
        }
        replies.add(new Reply(arrival, response));
    }

    public void refuse(int arrival, GroupError error, String message) {
        reply(arrival, new Response.Refused(error, message));
    }

    /** Leaves the arrival in the mailbox. No record may have been emitted on its behalf. */
    public void await(int arrival) {
        waiting.add(arrival);
    }

    /** Leaves the arrival in the mailbox until these topics are known, present or absent. */
    public void awaitTopics(int arrival, Set<String> names) {
        topicsNeeded.addAll(names);
        await(arrival);
    }

    public boolean isAnswered(int arrival) {
        return answered.contains(arrival);
    }

    /** Whether the arrival was neither answered nor left to wait so far. */
    public boolean isOpen(int arrival) {
        return !waiting.contains(arrival) && !answered.contains(arrival);
    }

    public void arm(TimerKey key, long delayMillis, int epoch) {
        timers.add(new TimerChange.Arm(key, delayMillis, epoch));
    }

    public void cancel(TimerKey key) {
        timers.add(new TimerChange.Cancel(key));
    }

    public void effect(Effect effect) {
        effects.add(effect);
    }

    public void remember(LeaderMemory next) {
        memory = next;
    }

    /** Adds a line of history about the epoch that the group has now. */
    public void history(HistoryEntry.Reason reason, String memberId, String detail) {
        List<HistoryEntry> past = group.history();
        long sequence = past.isEmpty() ? 1 : past.get(past.size() - 1).sequence() + 1;
        emit(new CommonRecord.HistoryAppended(new HistoryEntry(
                sequence, context.wallMillis(), group.typed().groupEpoch(), reason, memberId, detail)));
    }

    /**
     * Deletes the group, and says so in its history if it existed.
     *
     * @param detail for people; may be empty
     */
    public void delete(String detail) {
        if (group.exists()) {
            history(HistoryEntry.Reason.DELETED, "", detail);
        }
        emit(new CommonRecord.GroupDeleted());
        remember(memory.withLargeTarget(LeaderMemory.LargeTarget.NONE));
    }

    /**
     * What the decision comes to.
     *
     * @param arrivals all that it was to decide on
     * @throws IllegalStateException unless each of them is either answered or left to wait
     */
    public Decision decision(List<Arrival> arrivals) {
        for (int index = 0; index < arrivals.size(); index++) {
            if (answered.contains(index) == waiting.contains(index)) {
                String what = isAnswered(index) ? "both answered and kept: " : "neither answered nor kept: ";
                throw new IllegalStateException(what + arrivals.get(index).command());
            }
        }
        return new Decision(records, replies, timers, effects, List.copyOf(waiting), topicsNeeded, group, memory);
    }
}
