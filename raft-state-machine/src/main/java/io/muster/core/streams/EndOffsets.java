package io.muster.core.streams;

import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.LeaderMemory;
import io.muster.core.LeaderMemory.EndOffsetReading;
import io.muster.core.Partitions;
import io.muster.core.StreamsCommand.EndOffsetsRead;
import io.muster.core.StreamsCommand.PartitionEnd;
import io.muster.core.TaskOffset;
import io.muster.core.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Has the ends of changelogs read by a gateway: of state that lies dormant with a member, of which no member reports an end
 * (KIP-1071 has clients report none). One request in flight per group, and a back-off after those that failed; nothing waits for the
 * answer: until it is there, the state counts as not caught up.
 */
final class EndOffsets {
    /** How long a gateway may take to answer, milliseconds. */
    private static final long ANSWER_MILLIS = 15_000;

    private static final long FIRST_BACKOFF_MILLIS = 1_000;
    private static final long LONGEST_BACKOFF_MILLIS = 60_000;

    private EndOffsets() {}

    /** The changelog partitions whose ends the gateway of a heartbeat shall read now, by topic; remembers that it was asked. */
    static Partitions<String> request(GroupDraft draft) {
        if (!StreamsTargetAssignments.followsLag(draft)) {
            return Partitions.none();
        }
        long now = draft.context().nowMillis();
        EndOffsetReading reading = reading(draft);
        boolean asked = reading.askedAtMillis() != LeaderMemory.NEVER;
        if (asked && now < reading.askedAtMillis() + ANSWER_MILLIS) {
            return Partitions.none();
        }
        if (asked) {
            reading = failed(reading, now);
            remember(draft, reading);
        }
        boolean fresh =
                reading.readAtMillis() != LeaderMemory.NEVER && now < reading.readAtMillis() + intervalMillis(draft);
        if (now < reading.notBeforeMillis() || (fresh && !reading.again())) {
            return Partitions.none();
        }
        Partitions<String> changelogs = changelogs(draft);
        if (!changelogs.isEmpty()) {
            remember(draft, reading.askedAt(now));
        }
        return changelogs;
    }

    /** A member reported other offsets than before: the ends are read anew. */
    static void readAgain(GroupDraft draft) {
        if (!reading(draft).again()) {
            remember(draft, reading(draft).toBeReadAgain());
        }
    }

    /** Takes in what a gateway read, and makes a new target due if it shows that copies that matter are caught up. */
    static void read(GroupDraft draft, EndOffsetsRead command) {
        if (StreamsGroup.of(draft).isEmpty()) {
            return;
        }
        Map<Topology.TaskId, Long> sums = new HashMap<>();
        boolean all = sum(draft, command.ends(), sums);
        long now = draft.context().nowMillis();
        List<TaskOffset> ends = new ArrayList<>();
        new TreeMap<>(sums)
                .forEach((task, end) -> ends.add(new TaskOffset(task.subtopologyId(), task.partition(), end)));
        TaskOffsets.reassessAfter(draft, () -> {
            EndOffsetReading reading = reading(draft).readAt(now, ends);
            remember(draft, all ? reading : failed(reading, now));
        });
    }

    /** The sums of ends by task that were read lately. */
    static List<TaskOffset> known(GroupDraft draft) {
        EndOffsetReading reading = reading(draft);
        long keptMillis = 2 * intervalMillis(draft) + ANSWER_MILLIS;
        return draft.context().nowMillis() < reading.readAtMillis() + keptMillis ? reading.ends() : List.of();
    }

    /**
     * @param sums where to put the sum of ends of each task of which all ends were read
     * @return whether these are all tasks that were to be read
     */
    private static boolean sum(GroupDraft draft, List<PartitionEnd> ends, Map<Topology.TaskId, Long> sums) {
        Map<String, Map<Integer, Long>> byTopic = new HashMap<>();
        ends.forEach(end ->
                byTopic.computeIfAbsent(end.topic(), topic -> new HashMap<>()).put(end.partition(), end.offset()));
        Topology topology = TopologyStanding.of(draft).inForce().topology();
        boolean all = true;
        for (Topology.TaskId task : tasks(draft)) {
            Optional<Long> sum = topology.changelogs(task.subtopologyId()).stream()
                    .map(topic -> Optional.ofNullable(
                            byTopic.getOrDefault(topic, Map.of()).get(task.partition())))
                    .reduce(Optional.of(0L), (left, right) -> left.flatMap(some -> right.map(more -> some + more)));
            sum.ifPresent(end -> sums.put(task, end));
            all &= sum.isPresent();
        }
        return all;
    }

    private static Partitions<String> changelogs(GroupDraft draft) {
        Topology topology = TopologyStanding.of(draft).inForce().topology();
        TreeMap<String, TreeSet<Integer>> partitions = new TreeMap<>();
        for (Topology.TaskId task : tasks(draft)) {
            for (String topic : topology.changelogs(task.subtopologyId())) {
                partitions.computeIfAbsent(topic, name -> new TreeSet<>()).add(task.partition());
            }
        }
        return Partitions.copyOf(partitions);
    }

    /** The tasks whose state lies with a member that does not run them, and of which no member reported an end. */
    private static Set<Topology.TaskId> tasks(GroupDraft draft) {
        StreamsGroup group = StreamsGroup.of(draft);
        Set<Topology.TaskId> ended = new HashSet<>();
        group.members()
                .offsets()
                .values()
                .forEach(reported -> reported.endOffsets().forEach(end -> ended.add(Topology.TaskId.of(end))));
        Map<String, Integer> counts = TopologyStanding.of(draft).inForce().taskCounts();
        Set<Topology.TaskId> tasks = new TreeSet<>();
        for (StreamsMember member : group.members().all()) {
            for (TaskOffset offset : member.offsets().offsets()) {
                Topology.TaskId task = Topology.TaskId.of(offset);
                boolean exists = offset.partition() < counts.getOrDefault(offset.subtopologyId(), 0);
                if (exists
                        && !ended.contains(task)
                        && !member.held().active().contains(offset.subtopologyId(), offset.partition())) {
                    tasks.add(task);
                }
            }
        }
        return tasks;
    }

    private static EndOffsetReading failed(EndOffsetReading reading, long now) {
        int doublings = Math.min(reading.failures(), 16);
        long wait = Math.min(FIRST_BACKOFF_MILLIS << doublings, LONGEST_BACKOFF_MILLIS);
        return reading.failed(now + wait);
    }

    private static long intervalMillis(GroupDraft draft) {
        return draft.config(GroupConfigs.STREAMS_TASK_OFFSET_INTERVAL);
    }

    private static EndOffsetReading reading(GroupDraft draft) {
        return draft.memory().streams().reading();
    }

    private static void remember(GroupDraft draft, EndOffsetReading next) {
        draft.remember(draft.memory().withStreams(draft.memory().streams().withReading(next)));
    }
}
