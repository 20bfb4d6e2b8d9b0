package io.muster.core.streams;

import io.muster.core.GroupDraft;
import io.muster.core.GroupError;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.KnownTopics;
import io.muster.core.Response;
import io.muster.core.StreamsGroupRecord.TopologyForgotten;
import io.muster.core.StreamsGroupRecord.TopologySet;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.TaskAssignment;
import io.muster.core.Topology;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Topologies come with members that join, and go when nobody needs them (KIP-1071, "Topology updates"). */
final class TopologyUpdates {
    private TopologyUpdates() {}

    /** Takes the topology of a join that was found sound, if the group does not have it; returns whether it replaces another. */
    static boolean take(GroupDraft draft, StreamsHeartbeat join) {
        Topology sent = Objects.requireNonNull(join.topology());
        StreamsGroup group = StreamsGroup.of(draft);
        boolean isNewer =
                group.topology().filter(known -> sent.epoch() <= known.epoch()).isEmpty();
        if (!isNewer) {
            return false;
        }
        draft.emit(new TopologySet(sent));
        return group.topology().isPresent();
    }

    /** Says in the history that a member brought the group's topology. */
    static void note(GroupDraft draft, String memberId) {
        TopologyStanding standing = TopologyStanding.of(draft);
        int newest = standing.newest().topology().epoch();
        String waits =
                standing.newest().trouble().map(trouble -> ": " + trouble).orElse("");
        String detail = standing.newest().isReady()
                ? inForceSince(newest, "")
                : "topology epoch " + newest + " waits for its topics" + waits;
        if (standing.isUpdating()) {
            detail += "; topology epoch " + standing.inForce().topology().epoch() + " stays in force";
        }
        draft.history(Reason.TOPOLOGY_CHANGED, memberId, detail);
    }

    /** That a topology is in force, and what changed in its topics to make it so, if anything did. */
    static String inForceSince(int epoch, String topicChanges) {
        return "topology epoch " + epoch + " is in force" + (topicChanges.isEmpty() ? "" : ": " + topicChanges);
    }

    /** Of some tasks of a member those that it may keep when it joins again: all, unless it brings another topology than before. */
    static TaskAssignment kept(GroupDraft draft, StreamsHeartbeat join, StreamsMember before, TaskAssignment tasks) {
        Topology sent = Objects.requireNonNull(join.topology());
        if (sent.epoch() == before.profile().topologyEpoch()) {
            return tasks;
        }
        if (!TopologyConfiguration.configure(sent, KnownTopics.of(draft)).isReady()) {
            return TaskAssignment.EMPTY;
        }
        BiPredicate<String, Integer> exists =
                (subtopology, partition) -> sent.find(subtopology).isPresent();
        return new TaskAssignment(
                tasks.active().filter(exists),
                tasks.standby().filter(exists),
                tasks.warmup().filter(exists));
    }

    /** Forgets what an empty group's members processed, at an operator's word. */
    static void reset(GroupDraft draft, int index) {
        StreamsGroup group = StreamsGroup.of(draft);
        if (!group.isEmpty()) {
            draft.refuse(index, GroupError.NON_EMPTY_GROUP, "The group is not empty.");
            return;
        }
        Optional<Topology> newest = group.topology();
        if (newest.isPresent()) {
            List.copyOf(group.topologies().byEpoch().keySet())
                    .forEach(epoch -> draft.emit(new TopologyForgotten(epoch)));
            draft.emit(group.status().withoutTopology());
            draft.history(
                    Reason.TOPOLOGY_CHANGED,
                    "",
                    "topology epoch " + newest.get().epoch()
                            + " was reset, the next member brings the group's topology");
        }
        draft.reply(index, new Response.Done());
    }

    /** Forgets older topologies that no member has. */
    static void forgetUnused(GroupDraft draft) {
        StreamsGroup group = StreamsGroup.of(draft);
        if (!group.topologies().areMany()) {
            return;
        }
        int newest = group.topology().orElseThrow().epoch();
        List<Integer> unused = group.topologies().byEpoch().keySet().stream()
                .filter(epoch ->
                        epoch < newest && !group.members().topologyEpochs().contains(epoch))
                .toList();
        unused.forEach(epoch -> draft.emit(new TopologyForgotten(epoch)));
    }
}
