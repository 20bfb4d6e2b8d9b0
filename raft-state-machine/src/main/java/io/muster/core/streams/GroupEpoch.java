package io.muster.core.streams;

import io.muster.core.CommonRecord;
import io.muster.core.FeatureLevel;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.HistoryWords;
import io.muster.core.KnownTopics;
import io.muster.core.StreamsRecord.GroupSet;
import io.muster.core.TopicInfo;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Raises the group epoch, which makes a new target due. */
final class GroupEpoch {
    private GroupEpoch() {}

    /** What the configs were when a heartbeat last looked at them. */
    private record SeenConfigs(int numStandbyReplicas, SortedMap<String, String> assignmentConfigs) {}

    /** Raises the epoch by one and says why in the history. An empty group needs no target: its assignment epoch follows. */
    static void raise(GroupDraft draft, Reason reason, String memberId, String detail) {
        int standbys = Streams.config(draft, GroupConfigs.STREAMS_NUM_STANDBY_REPLICAS);
        raise(draft, reason, memberId, detail, new SeenConfigs(standbys, assignmentConfigs(draft)));
    }

    /** Raises the epoch since a member is gone. That configs changed meanwhile, the next heartbeat finds out, as in Kafka. */
    static void raiseWithout(GroupDraft draft, Reason reason, String memberId, String detail) {
        GroupSet status = Streams.group(draft).status();
        SeenConfigs seen = new SeenConfigs(status.numStandbyReplicas(), status.assignmentConfigs());
        raise(draft, reason, memberId, detail, seen);
    }

    private static void raise(GroupDraft draft, Reason reason, String memberId, String detail, SeenConfigs configs) {
        StreamsGroup group = Streams.group(draft);
        SortedMap<String, TopicInfo> basis = KnownTopics.of(draft).existing(group.topicsOfInterest());
        ConfiguredTopology inForce = Streams.standing(draft).inForce();
        if (!basis.equals(draft.group().topicBasis())) {
            draft.emit(new CommonRecord.TopicBasisSet(basis));
        }
        GroupSet status = group.status();
        boolean empty = group.isEmpty();
        int epoch = status.groupEpoch() + 1;
        draft.emit(new GroupSet(
                epoch,
                empty ? epoch : status.assignmentEpoch(),
                empty ? 0 : status.assignedAtMillis(),
                inForce.validatedEpoch(),
                inForce.topology().epoch(),
                configs.numStandbyReplicas(),
                configs.assignmentConfigs(),
                empty ? "" : status.shutdownMemberId()));
        draft.history(reason, memberId, HistoryWords.ofStatic(instanceOf(draft, memberId), detail));
    }

    /**
     * Raises the epoch if topologies, topics or configs ask for it: topics also while the group stays not ready, as in Kafka, but
     * not while too little is known of them.
     */
    static void raiseIfDue(GroupDraft draft, ConfiguredTopology inForce) {
        GroupSet status = Streams.group(draft).status();
        int epoch = inForce.topology().epoch();
        if (epoch != status.topologyInForce() && status.topologyInForce() != -1) {
            raise(draft, Reason.TOPOLOGY_CHANGED, "", "topology epoch " + epoch + " is in force");
            return;
        }
        SortedSet<String> required = inForce.topology().requiredTopics();
        TreeMap<String, TopicInfo> before = new TreeMap<>(draft.group().topicBasis());
        before.keySet().retainAll(required);
        SortedMap<String, TopicInfo> now = KnownTopics.of(draft).existing(required);
        boolean topicsChanged = KnownTopics.of(draft).unknownAmong(required).isEmpty() && !now.equals(before);
        if (inForce.validatedEpoch() != status.validatedTopologyEpoch() || topicsChanged) {
            raise(draft, Reason.TOPICS_CHANGED, "", HistoryWords.difference(before, now));
        } else {
            raiseIfConfigsChanged(draft, status);
        }
    }

    private static void raiseIfConfigsChanged(GroupDraft draft, GroupSet status) {
        TreeSet<String> changed = new TreeSet<>();
        if (Streams.config(draft, GroupConfigs.STREAMS_NUM_STANDBY_REPLICAS) != status.numStandbyReplicas()) {
            changed.add(told(draft, GroupConfigs.STREAMS_NUM_STANDBY_REPLICAS));
        }
        SortedMap<String, String> now = assignmentConfigs(draft);
        TreeSet<String> names = new TreeSet<>(status.assignmentConfigs().keySet());
        names.addAll(now.keySet());
        names.stream()
                .filter(name -> !Objects.equals(
                        now.get(name), status.assignmentConfigs().get(name)))
                .filter(name ->
                        name.equals(GroupConfigs.STREAMS_RACK_AWARE_TAGS) || TargetAssignments.followsLag(draft))
                .forEach(name -> changed.add(told(draft, name)));
        if (!changed.isEmpty()) {
            raise(draft, Reason.CONFIGURATION_CHANGED, "", String.join(", ", changed));
        }
    }

    private static String told(GroupDraft draft, String name) {
        String standard = GroupConfigs.defaultText(name, draft.context().config());
        return name + " is " + draft.group().configs().getOrDefault(name, standard);
    }

    /** The configs, beside the number of standby replicas, whose change makes a new target due. */
    static SortedMap<String, String> assignmentConfigs(GroupDraft draft) {
        return draft.context().featureLevel() < FeatureLevel.ASSIGNMENT_CONFIGS
                ? new TreeMap<>()
                : GroupConfigs.ofAssignment(draft.group(), draft.context().config());
    }

    /** The instance id of a member, or of one that this decision removed; null if it is not static. */
    private static @Nullable String instanceOf(GroupDraft draft, String memberId) {
        return Streams.group(draft)
                .members()
                .find(memberId)
                .or(() -> Streams.group(draft.before()).members().find(memberId))
                .map(member -> member.profile().instanceId())
                .orElse(null);
    }
}
