package io.muster.core.streams;

import io.muster.core.Group;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.InternalCommand;
import io.muster.core.StreamsGroupRecord.TargetSet;
import io.muster.core.TaskAssignment;
import io.muster.core.assignor.TaskAssignor;
import io.muster.core.assignor.TaskAssignors;
import io.muster.core.group.LargeTargets;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Computes the target of a group epoch once it is due. */
final class StreamsTargetAssignments {
    private StreamsTargetAssignments() {}

    /** The assignor that the group's config names. */
    static TaskAssignor assignor(Group group) {
        return TaskAssignors.find(GroupConfigs.text(group, GroupConfigs.STREAMS_ASSIGNOR_NAME))
                .orElseGet(TaskAssignors::standard);
    }

    /** Says in the history that another assignor computes the next target; as in Kafka, that alone makes no target due. */
    static void noteAssignor(GroupDraft draft) {
        boolean isOther =
                !assignor(draft.group()).name().equals(assignor(draft.before()).name());
        if (isOther && !StreamsGroup.of(draft).isEmpty()) {
            String told = StreamsGroupEpoch.told(draft, GroupConfigs.STREAMS_ASSIGNOR_NAME);
            draft.history(Reason.CONFIGURATION_CHANGED, "", told + "; it counts from the next rebalance on");
        }
    }

    static boolean isBehind(GroupDraft draft) {
        StreamsGroup group = StreamsGroup.of(draft);
        return group.assignmentEpoch() < group.groupEpoch();
    }

    /** Whether the assignment interval since the last target is over. */
    static boolean intervalIsOver(GroupDraft draft) {
        return draft.context()
                .hasPassedSince(
                        StreamsGroup.of(draft).status().assignedAtMillis(),
                        draft.config(GroupConfigs.STREAMS_ASSIGNMENT_INTERVAL));
    }

    /** Computes and records the target of the group's epoch, or has it computed aside; of a group that is not ready it is empty. */
    static void compute(GroupDraft draft, ConfiguredTopology configured) {
        StreamsGroup group = StreamsGroup.of(draft);
        StreamsTarget.Computation computation = new StreamsTarget.Computation(
                group,
                assignor(draft.group()),
                configured.isReady() ? Optional.of(tasks(draft, configured)) : Optional.empty());
        int members = group.members().size();
        if (!LargeTargets.areComputedAside(draft, members, computation.taskCount(), computation)) {
            adopt(draft, computation.compute(), configured);
        }
    }

    /** Takes in a target that was computed aside; if it does not fit the group any more, the next heartbeat asks anew. */
    static void take(GroupDraft draft, InternalCommand.TargetComputed command) {
        if (LargeTargets.take(draft, command).orElse(null) instanceof StreamsTarget target) {
            adopt(draft, target, TopologyStanding.of(draft).inForce());
        }
    }

    /** Members that joined since the target was computed keep what they have. */
    private static void adopt(GroupDraft draft, StreamsTarget target, ConfiguredTopology configured) {
        StreamsGroup group = StreamsGroup.of(draft);
        target.fittedTo(group).ifPresent(fitted -> {
            for (StreamsMember member : group.members().all()) {
                TaskAssignment tasks = fitted.getOrDefault(member.id(), member.target());
                if (!tasks.equals(member.target())) {
                    draft.emit(new TargetSet(member.id(), tasks));
                }
            }
            draft.emit(group.status()
                    .assignedAt(target.groupEpoch(), draft.context().wallMillis()));
            OrphanedTasks.note(draft, configured);
        });
    }

    /** Whether the group's assignor looks at how far copies are behind. */
    static boolean followsLag(GroupDraft draft) {
        return assignor(draft.group()).followsLag();
    }

    /** Whether a target that is computed now would let another member run some task; of a large group it is taken for granted. */
    static boolean wouldMoveActive(GroupDraft draft) {
        ConfiguredTopology configured = TopologyStanding.of(draft).inForce();
        if (!configured.isReady()) {
            return false;
        }
        long size = (long) StreamsGroup.of(draft).members().size()
                * configured.taskCounts().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
        if (size > draft.context().config().largeTargetSize()) {
            return true;
        }
        SortedMap<String, TaskAssignment> target = assignor(draft.group()).assign(tasks(draft, configured));
        return StreamsGroup.of(draft).members().all().stream()
                .anyMatch(member -> !target.getOrDefault(member.id(), TaskAssignment.EMPTY)
                        .active()
                        .equals(member.target().active()));
    }

    private static TaskAssignor.Tasks tasks(GroupDraft draft, ConfiguredTopology configured) {
        StreamsGroup group = StreamsGroup.of(draft);
        LocalStates states = LocalStates.of(draft);
        TreeMap<String, TaskAssignor.Member> members = new TreeMap<>();
        int epoch = configured.topology().epoch();
        group.members().all().forEach(member -> members.put(member.id(), assignable(member, epoch, states)));
        List<TaskAssignor.Subtopology> subtopologies = configured.topology().subtopologies().stream()
                .map(subtopology -> new TaskAssignor.Subtopology(
                        subtopology.id(),
                        configured.taskCounts().getOrDefault(subtopology.id(), 0),
                        !subtopology.stateChangelogTopics().isEmpty()))
                .toList();
        TaskAssignor.Copies copies = new TaskAssignor.Copies(
                group.status().numStandbyReplicas(),
                draft.config(GroupConfigs.STREAMS_NUM_WARMUP_REPLICAS),
                GroupConfigs.rackAwareTags(draft.group()));
        return new TaskAssignor.Tasks(members, subtopologies, copies);
    }

    /** Members of an older topology keep what they have and get nothing new; those of a newer one can run nothing yet. */
    private static TaskAssignor.Member assignable(StreamsMember member, int epochInForce, LocalStates states) {
        int epoch = member.profile().topologyEpoch();
        TaskAssignment previous = epoch > epochInForce ? TaskAssignment.EMPTY : member.target();
        return new TaskAssignor.Member(
                member.profile().processId(),
                previous,
                member.profile().clientTags(),
                epoch == epochInForce,
                states.of(member));
    }
}
