package io.muster.core.streams;

import io.muster.core.GroupDraft;
import io.muster.core.GroupError;
import io.muster.core.KnownTopics;
import io.muster.core.NoGroup;
import io.muster.core.Partitions;
import io.muster.core.Response.Refused;
import io.muster.core.StreamsGroupRecord.CurrentSet;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.TaskAssignment;
import io.muster.core.TaskOffset;
import io.muster.core.Topology;
import io.muster.core.TypedGroup;
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
        TypedGroup typed = draft.group().typed();
        if (typed instanceof StreamsGroup group) {
            return (heartbeat.joins()
                            ? joinRefusal(draft, group, heartbeat)
                            : memberRefusal(group, heartbeat).or(() -> epochRefusal(draft, group, heartbeat)))
                    .or(() -> offsetsRefusal(heartbeat));
        }
        String id = draft.group().id();
        if (!(typed instanceof NoGroup)) {
            return refused(GroupError.GROUP_ID_NOT_FOUND, "Group " + id + " is not a streams group.");
        }
        if (heartbeat.joins()) {
            return offsetsRefusal(heartbeat);
        }
        String what = heartbeat.leaves() ? "Group " : "Streams group ";
        return refused(GroupError.GROUP_ID_NOT_FOUND, what + id + " not found.");
    }

    static Refused unknownMember(GroupDraft draft, String memberId) {
        return unknownMember(draft.group().id(), memberId);
    }

    private static Refused unknownMember(String groupId, String memberId) {
        return new Refused(
                GroupError.UNKNOWN_MEMBER_ID, "Member " + memberId + " is not a member of group " + groupId + ".");
    }

    private static Optional<Refused> joinRefusal(GroupDraft draft, StreamsGroup group, StreamsHeartbeat heartbeat) {
        return sizeRefusal(draft, group, heartbeat)
                .or(() -> unreleasedRefusal(group, heartbeat))
                .or(() -> topologyRefusal(group, heartbeat));
    }

    private static Optional<Refused> sizeRefusal(GroupDraft draft, StreamsGroup group, StreamsHeartbeat heartbeat) {
        int limit = draft.context().config().streams().maxSize();
        boolean isKnown = group.members().find(heartbeat.memberId()).isPresent()
                || staticMember(group, heartbeat).isPresent();
        if (isKnown || group.members().profiles().size() < limit) {
            return Optional.empty();
        }
        return refused(
                GroupError.GROUP_MAX_SIZE_REACHED,
                "The streams group has reached its maximum capacity of " + limit + " members.");
    }

    private static Optional<Refused> unreleasedRefusal(StreamsGroup group, StreamsHeartbeat heartbeat) {
        return staticMember(group, heartbeat)
                .filter(owner -> owner.epoch() != StreamsHeartbeat.TEMPORARY_LEAVE_EPOCH)
                .map(owner -> new Refused(
                        GroupError.UNRELEASED_INSTANCE_ID,
                        "Static member " + heartbeat.memberId() + " with instance id " + heartbeat.instanceId()
                                + " cannot join the group because the instance id is owned by " + owner.id()
                                + " member."));
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

    private static Optional<Refused> memberRefusal(StreamsGroup group, StreamsHeartbeat heartbeat) {
        if (heartbeat.instanceId() == null) {
            return group.members().find(heartbeat.memberId()).isPresent()
                    ? Optional.empty()
                    : Optional.of(unknownMember(heartbeat.groupId(), heartbeat.memberId()));
        }
        Optional<StreamsMember> owner = staticMember(group, heartbeat);
        if (owner.isEmpty()) {
            return refused(GroupError.UNKNOWN_MEMBER_ID, "Instance id " + heartbeat.instanceId() + " is unknown.");
        }
        if (owner.get().id().equals(heartbeat.memberId())) {
            return Optional.empty();
        }
        return refused(
                GroupError.FENCED_INSTANCE_ID,
                "Static member " + heartbeat.memberId() + " with instance id " + heartbeat.instanceId()
                        + " was fenced by member " + owner.get().id() + ".");
    }

    private static Optional<Refused> epochRefusal(GroupDraft draft, StreamsGroup group, StreamsHeartbeat heartbeat) {
        if (heartbeat.leaves()) {
            return Optional.empty();
        }
        StreamsMember member = group.members().find(heartbeat.memberId()).orElseThrow();
        CurrentSet current = member.current();
        if (heartbeat.memberEpoch() > current.memberEpoch()) {
            return fenced("greater", heartbeat, current);
        }
        if (heartbeat.memberEpoch() < current.memberEpoch() && !isLateButFine(heartbeat, current)) {
            return fenced("smaller", heartbeat, current);
        }
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

    /** The answer with the new epoch may have been lost: then the member owns no more than it was given. */
    private static boolean isLateButFine(StreamsHeartbeat heartbeat, CurrentSet current) {
        boolean ownsOnlyItsOwn = heartbeat
                .tasks()
                .known()
                .map(owned -> owned.minus(current.assigned()).isEmpty())
                .orElse(false);
        return heartbeat.memberEpoch() == current.previousMemberEpoch() && ownsOnlyItsOwn;
    }

    private static Optional<Refused> fenced(String how, StreamsHeartbeat heartbeat, CurrentSet current) {
        return refused(
                GroupError.FENCED_MEMBER_EPOCH,
                "The streams group member has a " + how + " member epoch (" + heartbeat.memberEpoch()
                        + ") than the one known by the group coordinator (" + current.memberEpoch()
                        + "). The member must abandon all its partitions and rejoin.");
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
                : offsetsRefusal(heartbeat.taskOffsets()).or(() -> offsetsRefusal(heartbeat.taskEndOffsets()));
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

    private static Optional<StreamsMember> staticMember(StreamsGroup group, StreamsHeartbeat heartbeat) {
        return Optional.ofNullable(heartbeat.instanceId()).flatMap(group.members()::findStatic);
    }

    private static Optional<Refused> refused(GroupError error, String message) {
        return Optional.of(new Refused(error, message));
    }
}
