package io.muster.core.streams;

import io.muster.core.GroupDraft;
import io.muster.core.GroupError;
import io.muster.core.KnownTopics;
import io.muster.core.Partitions;
import io.muster.core.Response.Refused;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.TaskAssignment;
import io.muster.core.TaskOffset;
import io.muster.core.Topology;
import io.muster.core.group.GroupValidation;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Why a group does not take a sound heartbeat; checked in Kafka's order. */
final class StreamsGroupValidation {
    private StreamsGroupValidation() {}

    static Optional<Refused> refusal(GroupDraft draft, StreamsHeartbeat heartbeat) {
        StreamsGroup group = StreamsGroup.of(draft);
        return GroupValidation.refusal(draft, heartbeat)
                .or(() -> heartbeat.joins() ? topologyRefusal(group, heartbeat) : tasksRefusal(draft, group, heartbeat))
                .or(() -> offsetsRefusal(heartbeat));
    }

    /** KIP-1071: one epoch more updates the group's topology; a known member may come back with the one that it has. */
    private static Optional<Refused> topologyRefusal(StreamsGroup group, StreamsHeartbeat join) {
        Topology sent = Objects.requireNonNull(join.topology());
        if (group.topology().isEmpty()) {
            return Optional.empty();
        }
        int epoch = group.topology().get().epoch();
        if (sent.epoch() > epoch) {
            return sent.epoch() - epoch == 1
                    ? Optional.empty()
                    : refused(
                            GroupError.STREAMS_INVALID_TOPOLOGY_EPOCH,
                            "The topology epoch " + sent.epoch() + " is too high: the group's is " + epoch
                                    + ", and an update raises it by one.");
        }
        boolean comesBack = group.members()
                .find(join.memberId())
                .filter(member -> member.profile().topologyEpoch() == sent.epoch())
                .isPresent();
        if (sent.epoch() < epoch && !comesBack) {
            return refused(
                    GroupError.STREAMS_TOPOLOGY_FENCED,
                    "The topology epoch " + sent.epoch() + " is behind the group's topology epoch " + epoch + ".");
        }
        boolean differs = group.topologies()
                .find(sent.epoch())
                .filter(known -> !sent.equals(known))
                .isPresent();
        return differs
                ? refused(
                        GroupError.STREAMS_INVALID_TOPOLOGY_EPOCH,
                        "The topology differs from the group's topology of the same epoch " + sent.epoch()
                                + "; a changed topology needs the next epoch.")
                : Optional.empty();
    }

    private static Optional<Refused> tasksRefusal(GroupDraft draft, StreamsGroup group, StreamsHeartbeat heartbeat) {
        if (heartbeat.leaves()) {
            return Optional.empty();
        }
        StreamsMember member = group.members().find(heartbeat.memberId()).orElseThrow();
        if (heartbeat.tasks().known().isEmpty() && mayBeReady(group, member)) {
            return Optional.empty();
        }
        ConfiguredTopology configured =
                TopologyConfiguration.configure(group.topologyOf(member), KnownTopics.of(draft));
        return configured
                .flaw()
                .map(TopologyValidation::unsound)
                .or(() -> heartbeat.tasks().known().flatMap(owned -> taskRefusal(configured, owned)));
    }

    /** Whether the member's topology was found ready, which is never so of one that can never be. */
    private static boolean mayBeReady(StreamsGroup group, StreamsMember member) {
        return group.status().validatedTopologyEpoch() == member.profile().topologyEpoch();
    }

    private static Optional<Refused> taskRefusal(ConfiguredTopology configured, TaskAssignment owned) {
        if (!configured.isReady()) {
            return Optional.empty();
        }
        return taskRefusal(configured, owned.active())
                .or(() -> taskRefusal(configured, owned.standby()))
                .or(() -> taskRefusal(configured, owned.warmup()));
    }

    private static Optional<Refused> taskRefusal(ConfiguredTopology configured, Partitions<String> tasks) {
        for (var entry : tasks.byKey().entrySet()) {
            Integer count = configured.taskCounts().get(entry.getKey());
            if (count == null) {
                return refused(
                        GroupError.INVALID_REQUEST,
                        "Subtopology " + entry.getKey() + " does not exist in the topology.");
            }
            for (int task : entry.getValue()) {
                if (task < 0 || task >= count) {
                    return refused(
                            GroupError.INVALID_REQUEST,
                            "Task " + task + " for subtopology " + entry.getKey()
                                    + " is invalid. Number of tasks for this subtopology: " + count);
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Refused> offsetsRefusal(StreamsHeartbeat heartbeat) {
        return heartbeat.leaves()
                ? Optional.empty()
                : offsetsRefusal(heartbeat.offsets().offsets())
                        .or(() -> offsetsRefusal(heartbeat.offsets().endOffsets()));
    }

    private static Optional<Refused> offsetsRefusal(@Nullable List<TaskOffset> offsets) {
        Set<Topology.TaskId> tasks = new HashSet<>();
        return Stream.ofNullable(offsets)
                .flatMap(List::stream)
                .filter(offset -> !tasks.add(new Topology.TaskId(offset.subtopologyId(), offset.partition())))
                .findFirst()
                .flatMap(offset -> refused(
                        GroupError.INVALID_REQUEST,
                        "Task offsets contain a duplicate entry for subtopology " + offset.subtopologyId()
                                + " and partition " + offset.partition() + "."));
    }

    private static Optional<Refused> refused(GroupError error, String message) {
        return Optional.of(new Refused(error, message));
    }
}
