package io.muster.cluster.soak;

import java.util.HashMap;
import java.util.Map;

/**
 * Numbers that the members of one group count up, each in its partitions' committed offsets: who gets a partition goes on where the
 * last one stopped. No number may be counted by two members, and none may be forgotten.
 */
final class Counters {
    private final Violations violations;
    private final Map<Integer, Map<Long, String>> counted = new HashMap<>();
    private final Map<Integer, Long> highest = new HashMap<>();

    Counters(Violations violations) {
        this.violations = violations;
    }

    /** What a fetch that begins now must find at least. */
    synchronized long floor(int partition) {
        return highest.getOrDefault(partition, 0L);
    }

    /** A member was told what the committed number is. */
    void found(String memberId, int partition, long number, long floor) {
        if (number < floor) {
            violations.add(
                    "%s finds %d in partition %d, after %d was counted".formatted(memberId, number, partition, floor));
        }
    }

    /** A member was told that its number is committed. */
    synchronized void counted(String memberId, int partition, long number) {
        String other =
                counted.computeIfAbsent(partition, key -> new HashMap<>()).putIfAbsent(number, memberId);
        if (other != null && !other.equals(memberId)) {
            violations.add(
                    "%d was counted in partition %d by %s and by %s".formatted(number, partition, other, memberId));
        }
        highest.merge(partition, number, Math::max);
    }

    /** How many numbers were counted. */
    synchronized long total() {
        return counted.values().stream().mapToLong(Map::size).sum();
    }
}
