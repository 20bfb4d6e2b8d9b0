package io.muster.simulation;

import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.Partitions;
import io.muster.core.TopicInfo;
import io.muster.runtime.TopicReport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The topics of the upstream cluster: two that stay and may grow, and one that is deleted and created again. Whoever watches hears
 * of changes late.
 */
final class SimulatedTopics {
    /** Topics that never go; offsets are committed for these only. */
    static final List<String> LASTING = List.of("orders", "payments");

    /** A topic that comes and goes; under each id it counts as another one. */
    static final String PASSING = "audit";

    /** The subtopology that reads the first topic. */
    static final String SUBTOPOLOGY = "0";

    private static final int MOST_PARTITIONS = 6;

    private final VirtualTime time;
    private final TreeMap<String, TopicInfo> topics = new TreeMap<>();
    private final Map<UUID, String> namesById = new HashMap<>();
    private final Map<ShardProcess, Set<String>> watched = new HashMap<>();
    private int incarnations;

    SimulatedTopics(VirtualTime time) {
        this.time = time;
        LASTING.forEach(name -> put(name, name, 3));
        put(PASSING, PASSING, 2);
        time.after(4_000 + time.pick(10_000), this::change);
    }

    private void put(String name, String label, int partitions) {
        UUID id = UUID.nameUUIDFromBytes(label.getBytes(StandardCharsets.UTF_8));
        topics.put(name, new TopicInfo(name, id, partitions));
        namesById.put(id, label);
    }

    private void change() {
        if (time.isCalm()) {
            return;
        }
        if (time.chance(40)) {
            String name = LASTING.get(time.pick(LASTING.size()));
            int more = Math.min(MOST_PARTITIONS, topics.get(name).partitions() + 1);
            put(name, name, more);
            tell(name, false);
        } else if (topics.containsKey(PASSING)) {
            topics.remove(PASSING);
            tell(PASSING, time.chance(50));
        } else {
            put(PASSING, PASSING + "-" + ++incarnations, 1 + time.pick(3));
            tell(PASSING, false);
        }
        time.after(3_000 + time.pick(15_000), this::change);
    }

    /** @param seen whether the deletion passed through a gateway; otherwise two answers have to agree */
    private void tell(String name, boolean seen) {
        for (int answer = 0; answer < 3; answer++) {
            long delay = answer * 2_500L + time.pick(800);
            time.after(
                    delay,
                    () -> new ArrayList<>(watched.entrySet())
                            .stream()
                                    .filter(entry -> entry.getValue().contains(name))
                                    .forEach(entry -> report(entry.getKey(), Set.of(name), seen)));
        }
    }

    /** A shard's leader says which topics it needs; it hears of those that are new to it at once. */
    void watch(ShardProcess process, Set<String> names) {
        Set<String> before = watched.getOrDefault(process, Set.of());
        watched.keySet().removeIf(other -> other.node() == process.node());
        watched.put(process, Set.copyOf(names));
        Set<String> asked = new TreeSet<>(names);
        asked.removeAll(before);
        for (int answer = 0; answer < 2; answer++) {
            time.after(1 + time.pick(20) + answer * 2_500L, () -> report(process, asked, false));
        }
    }

    /** The process does not lead any more: its leases end. */
    void end(ShardProcess process) {
        watched.remove(process);
    }

    private void report(ShardProcess process, Set<String> names, boolean seen) {
        if (names.isEmpty() || !watched.containsKey(process)) {
            return;
        }
        List<TopicInfo> present = new ArrayList<>();
        Set<String> absent = new HashSet<>();
        for (String name : names) {
            TopicInfo topic = topics.get(name);
            if (topic == null) {
                absent.add(name);
            } else {
                present.add(topic);
            }
        }
        TopicReport report = new TopicReport(present, absent, seen ? absent : Set.of());
        process.after(0, () -> process.shard().topicsReported(report));
    }

    /** All partitions that these topics have now. */
    Set<TopicPartition> partitionsOf(List<String> names) {
        Set<TopicPartition> partitions = new HashSet<>();
        for (String name : names) {
            TopicInfo topic = topics.get(name);
            for (int number = 0; topic != null && number < topic.partitions(); number++) {
                partitions.add(new TopicPartition(namesById.get(topic.id()), number));
            }
        }
        return partitions;
    }

    /** Partitions by the names under which they count. */
    Set<TopicPartition> partitions(Partitions<UUID> byId) {
        Set<TopicPartition> partitions = new HashSet<>();
        byId.forEach((id, number) -> partitions.add(
                new TopicPartition(java.util.Objects.requireNonNull(namesById.get(id), "no such topic"), number)));
        return partitions;
    }

    /** The source partitions of tasks. */
    static Set<TopicPartition> sources(Partitions<String> tasks) {
        Set<TopicPartition> partitions = new HashSet<>();
        tasks.forEach((subtopology, number) -> partitions.add(new TopicPartition(LASTING.get(0), number)));
        return partitions;
    }
}
