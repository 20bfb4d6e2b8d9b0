package io.muster.core.streams;

import static io.muster.core.group.HeartbeatValidation.unless;

import io.muster.core.Partitions;
import io.muster.core.Response.Refused;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.StreamsHeartbeat.OwnedTasks;
import io.muster.core.Topology;
import io.muster.core.group.HeartbeatValidation;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is wrong with a heartbeat itself, whatever group it is for; checked in Kafka's order. */
final class StreamsHeartbeatValidation {
    private StreamsHeartbeatValidation() {}

    static Optional<Refused> refusal(StreamsHeartbeat heartbeat) {
        return names(heartbeat)
                .or(() -> unsupported(heartbeat))
                .or(() -> HeartbeatValidation.emptyStrings(heartbeat, true))
                .or(() -> epoch(heartbeat))
                .or(() -> tasks(heartbeat.tasks()))
                .or(() -> unless(
                        heartbeat.joins() || heartbeat.topology() == null,
                        "Topology can only be provided when (re-)joining."));
    }

    private static Optional<Refused> unsupported(StreamsHeartbeat heartbeat) {
        Topology topology = heartbeat.topology();
        boolean patterns = topology != null
                && topology.subtopologies().stream()
                        .anyMatch(
                                subtopology -> !subtopology.sourceTopicRegexes().isEmpty());
        return unless(!patterns, "Regular expressions for source topics are not supported yet.");
    }

    private static Optional<Refused> names(StreamsHeartbeat heartbeat) {
        return Optional.ofNullable(heartbeat.topology()).flatMap(TopologyValidation::namesRefusal);
    }

    private static Optional<Refused> epoch(StreamsHeartbeat heartbeat) {
        return HeartbeatValidation.epoch(
                heartbeat,
                () -> join(heartbeat),
                "MemberEpoch is " + heartbeat.memberEpoch() + ", but must be greater than or equal to -2.");
    }

    private static Optional<Refused> join(StreamsHeartbeat heartbeat) {
        OwnedTasks tasks = heartbeat.tasks();
        Topology topology = heartbeat.topology();
        return unless(isNone(tasks.active()), "ActiveTasks must be empty when (re-)joining.")
                .or(() -> unless(isNone(tasks.standby()), "StandbyTasks must be empty when (re-)joining."))
                .or(() -> unless(isNone(tasks.warmup()), "WarmupTasks must be empty when (re-)joining."))
                .or(() -> unless(topology != null, "Topology must be non-null when (re-)joining."))
                .or(() -> Optional.ofNullable(topology).flatMap(TopologyValidation::countRefusal))
                .or(() -> Optional.ofNullable(topology).flatMap(TopologyValidation::ambiguityRefusal));
    }

    private static Optional<Refused> tasks(OwnedTasks tasks) {
        long given = Stream.of(
                        Optional.ofNullable(tasks.active()),
                        Optional.ofNullable(tasks.standby()),
                        Optional.ofNullable(tasks.warmup()))
                .filter(Optional::isPresent)
                .count();
        return unless(given == 0 || given == 3, "If one task-type is non-null, all must be non-null.");
    }

    private static boolean isNone(@Nullable Partitions<String> tasks) {
        return tasks != null && tasks.isEmpty();
    }
}
