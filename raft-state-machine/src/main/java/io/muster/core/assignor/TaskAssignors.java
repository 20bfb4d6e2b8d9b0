package io.muster.core.assignor;

import java.util.List;
import java.util.Optional;

/** All task assignors, the standard one first; their names stand in {@code GroupConfigs.TASK_ASSIGNORS} too. */
public final class TaskAssignors {
    private static final List<TaskAssignor> ALL = List.of(new StickyTaskAssignor(), new HighlyAvailableTaskAssignor());

    private TaskAssignors() {}

    public static Optional<TaskAssignor> find(String name) {
        return ALL.stream().filter(assignor -> assignor.name().equals(name)).findFirst();
    }

    /** The one that is used when the group's config names no other. */
    public static TaskAssignor standard() {
        return ALL.get(0);
    }

    public static List<String> names() {
        return ALL.stream().map(TaskAssignor::name).toList();
    }
}
