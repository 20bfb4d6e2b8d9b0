package io.muster.core.assignor;

import java.util.List;
import java.util.Optional;

/** All partition assignors, the standard one first. */
public final class PartitionAssignors {
    private static final List<PartitionAssignor> ALL =
            List.of(new UniformPartitionAssignor(), new RangePartitionAssignor());

    private PartitionAssignors() {}

    public static Optional<PartitionAssignor> find(String name) {
        return ALL.stream().filter(assignor -> assignor.name().equals(name)).findFirst();
    }

    /** The one that is used when no member asks for another. */
    public static PartitionAssignor standard() {
        return ALL.get(0);
    }

    public static List<String> names() {
        return ALL.stream().map(PartitionAssignor::name).toList();
    }
}
