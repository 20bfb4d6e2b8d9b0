package io.muster.core.assignor;

import io.muster.core.TaskAssignment;
import java.util.List;
import java.util.SortedMap;

/** Decides which member of a Streams group runs which task. Pure: equal inputs give equal assignments. */
public interface TaskAssignor {
    /** The name that users see, for example {@code sticky}. */
    String name();

    /**
     * Assigns every task to one member as active, and its copies as far as there are processes for them. A task that no member
     * may take stays without an owner.
     */
    SortedMap<String, TaskAssignment> assign(Tasks tasks);

    /**
     * What is to be assigned to whom.
     *
     * @param members by member id; not empty
     * @param numStandbyReplicas wanted copies of each stateful task, 0 or more
     */
    record Tasks(SortedMap<String, Member> members, List<Subtopology> subtopologies, int numStandbyReplicas) {}

    /**
     * A member that can run tasks.
     *
     * @param processId members of one process share its state directory and fail together
     * @param previous its last target
     * @param takesNew whether it may get tasks, in whatever role, that it does not have in that role already; a member of another
     *     topology epoch than the group's may not (KIP-1071), and keeps what it has up to its share
     */
    record Member(String processId, TaskAssignment previous, boolean takesNew) {
        /** A member that may get any task. */
        public Member(String processId, TaskAssignment previous) {
            this(processId, previous, true);
        }
    }

    /**
     * The tasks of one subtopology, numbered from 0.
     *
     * @param stateful whether its tasks have state, and so standby copies
     */
    record Subtopology(String id, int taskCount, boolean stateful) {}
}
