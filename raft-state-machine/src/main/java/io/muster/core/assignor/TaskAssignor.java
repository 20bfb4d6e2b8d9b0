package io.muster.core.assignor;

import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import io.muster.core.TaskOffset;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Decides which member of a Streams group runs which task. Pure: equal inputs give equal assignments. */
public interface TaskAssignor {
    /** The name that users see, for example {@code sticky}. */
    String name();

    /** Whether the assignment depends on how far copies are behind, so that it is worth another look when copies catch up. */
    boolean followsLag();

    /**
     * Assigns every task to one member as active, and its copies as far as there are processes for them. Only a task that no
     * member may take stays without an owner.
     */
    SortedMap<String, TaskAssignment> assign(Tasks tasks);

    /**
     * What is to be assigned to whom.
     *
     * @param members by member id; not empty
     */
    record Tasks(SortedMap<String, Member> members, List<Subtopology> subtopologies, Copies copies) {
        public Tasks {
            members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
            subtopologies = List.copyOf(subtopologies);
        }

        public Tasks(SortedMap<String, Member> members, List<Subtopology> subtopologies, int standbys) {
            this(members, subtopologies, new Copies(standbys, 0, List.of()));
        }
    }

    /**
     * The copies that the group's config asks for.
     *
     * @param standbys wanted copies of each stateful task, 0 or more
     * @param warmups most copies, over all tasks, that are being made ready to become active; 0 or more
     * @param rackAwareTags the client tags in which the copies of a task should differ
     */
    record Copies(int standbys, int warmups, List<String> rackAwareTags) {
        public Copies {
            rackAwareTags = List.copyOf(rackAwareTags);
        }
    }

    /**
     * A member that can run tasks.
     *
     * @param processId members of one process share its state directory and fail together
     * @param previous its last target
     * @param clientTags its client tags
     * @param takesNew whether it may get tasks, in whatever role, that it does not have in that role already; a member of another
     *     topology epoch than the group's may not (KIP-1071), and keeps what it has up to its share
     * @param state what is known of its process's copies
     */
    record Member(
            String processId,
            TaskAssignment previous,
            SortedMap<String, String> clientTags,
            boolean takesNew,
            LocalState state) {
        public Member {
            clientTags = Collections.unmodifiableSortedMap(new TreeMap<>(clientTags));
        }

        public Member(String processId, TaskAssignment previous, boolean takesNew) {
            this(processId, previous, new TreeMap<>(), takesNew, LocalState.UNKNOWN);
        }

        /** A member that may get any task. */
        public Member(String processId, TaskAssignment previous) {
            this(processId, previous, true);
        }
    }

    /**
     * The state that lies with a member.
     *
     * @param running the tasks that it runs as active now, or shall give up and did not yet
     * @param caughtUp the tasks of which its copy is within the acceptable recovery lag
     * @param offsets the sums of changelog offsets that it reported
     * @param reports whether it reports task offsets at all, so that it can be seen to catch up
     */
    record LocalState(
            Partitions<String> running, Partitions<String> caughtUp, List<TaskOffset> offsets, boolean reports) {
        public static final LocalState UNKNOWN = new LocalState(Partitions.none(), Partitions.none(), List.of(), false);

        public LocalState {
            offsets = List.copyOf(offsets);
        }
    }

    /**
     * The tasks of one subtopology, numbered from 0.
     *
     * @param stateful whether its tasks have state, and so standby copies
     */
    record Subtopology(String id, int taskCount, boolean stateful) {}
}
