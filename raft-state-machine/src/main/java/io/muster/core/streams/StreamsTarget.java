package io.muster.core.streams;

import io.muster.core.TargetComputation;
import io.muster.core.TargetComputation.ComputedTarget;
import io.muster.core.TaskAssignment;
import io.muster.core.assignor.TaskAssignor;
import io.muster.core.group.LargeTargets;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What each member of a group shall run.
 *
 * @param computedFor the group that it was computed for
 */
record StreamsTarget(StreamsGroup computedFor, SortedMap<String, TaskAssignment> byMember) implements ComputedTarget {
    /**
     * Computes the target of this group.
     *
     * @param tasks what is to be shared out; empty if the group is not ready
     */
    record Computation(StreamsGroup group, TaskAssignor assignor, Optional<TaskAssignor.Tasks> tasks)
            implements TargetComputation {
        @Override
        public StreamsTarget compute() {
            TreeMap<String, TaskAssignment> target = new TreeMap<>();
            group.members().all().forEach(member -> target.put(member.id(), TaskAssignment.EMPTY));
            tasks.ifPresent(some -> target.putAll(assignor.assign(some)));
            return new StreamsTarget(group, target);
        }

        /** Number of tasks that there are to be shared out. */
        long taskCount() {
            return tasks.stream()
                    .flatMap(some -> some.subtopologies().stream())
                    .mapToLong(TaskAssignor.Subtopology::taskCount)
                    .sum();
        }
    }

    @Override
    public int groupEpoch() {
        return computedFor.groupEpoch();
    }

    /** The target for the group as it has become; empty if it is of no use: a member is gone, or the tasks are others. */
    Optional<SortedMap<String, TaskAssignment>> fittedTo(StreamsGroup now) {
        boolean sameTasks = computedFor.status().topologyInForce()
                        == now.status().topologyInForce()
                && computedFor.status().validatedTopologyEpoch() == now.status().validatedTopologyEpoch();
        return sameTasks ? LargeTargets.fitted(byMember, computedFor, now) : Optional.empty();
    }
}
