package io.muster.core.streams;

import io.muster.core.FeatureLevel;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.HistoryMessages;
import io.muster.core.KnownTopics;
import io.muster.core.StreamsGroupRecord.GroupSet;
import io.muster.core.TopicInfo;
import io.muster.core.group.EpochRecords;
import io.muster.core.group.MemberRemoval;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Raises the group epoch, which makes a new target due. */
final class StreamsGroupEpoch {
    /** Removal that raises the epoch. */
    static final MemberRemoval REMOVAL = new MemberRemoval(StreamsGroupEpoch::raiseWithout);

    private StreamsGroupEpoch() {}

    /** What the configs were when a heartbeat last looked at them. */
    private record SeenConfigs(int numStandbyReplicas, SortedMap<String, String> assignmentConfigs) {}

    /** Raises the epoch by one and says why in the history. An empty group needs no target: its assignment epoch follows. */
    static void raise(GroupDraft draft, Reason reason, String memberId, String detail) {
        int standbys = draft.config(GroupConfigs.STREAMS_NUM_STANDBY_REPLICAS);
        raise(draft, reason, memberId, detail, new SeenConfigs(standbys, assignmentConfigs(draft)));
    }

    /** Raises the epoch since a member is gone. That configs changed meanwhile, the next heartbeat finds out, as in Kafka. */
    private static void raiseWithout(GroupDraft draft, Reason reason, String memberId, String detail) {
        GroupSet status = StreamsGroup.of(draft).status();
        SeenConfigs seen = new SeenConfigs(status.numStandbyReplicas(), status.assignmentConfigs());
        raise(draft, reason, memberId, detail, seen);
        if (StreamsGroup.of(draft).isEmpty()) {
            InitialDelay.stop(draft);
        }
    }

    private static void raise(GroupDraft draft, Reason reason, String memberId, String detail, SeenConfigs configs) {
        StreamsGroup group = StreamsGroup.of(draft);
        SortedMap<String, TopicInfo> basis = KnownTopics.of(draft).existing(group.topicsOfInterest());
        ConfiguredTopology inForce = TopologyStanding.of(draft).inForce();
        EpochRecords.setBasis(draft, basis);
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
        EpochRecords.note(draft, reason, memberId, detail);
    }

    /**
     * Raises the epoch if topologies, topics or configs ask for it: topics also while the group stays not ready, as in Kafka, but
     * not while too little is known of them.
     */
    static void raiseIfDue(GroupDraft draft, ConfiguredTopology inForce) {
        GroupSet status = StreamsGroup.of(draft).status();
        int epoch = inForce.topology().epoch();
        if (epoch != status.topologyInForce() && status.topologyInForce() != -1) {
            raise(
                    draft,
                    Reason.TOPOLOGY_CHANGED,
                    "",
                    TopologyUpdates.inForceSince(epoch, topicChanges(draft, inForce)));
            return;
        }
        SortedSet<String> required = inForce.topology().requiredTopics();
        SortedMap<String, TopicInfo> before = basis(draft, required);
        SortedMap<String, TopicInfo> now = KnownTopics.of(draft).existing(required);
        boolean topicsChanged = KnownTopics.of(draft).unknownAmong(required).isEmpty() && !now.equals(before);
        if (inForce.validatedEpoch() != status.validatedTopologyEpoch() || topicsChanged) {
            String trouble =
                    inForce.trouble().map(problem -> "; not ready: " + problem).orElse("");
            raise(draft, Reason.TOPICS_CHANGED, "", HistoryMessages.difference(before, now) + trouble);
        } else {
            raiseIfConfigsChanged(draft, status);
        }
    }

    private static String topicChanges(GroupDraft draft, ConfiguredTopology configured) {
        SortedSet<String> required = configured.topology().requiredTopics();
        return HistoryMessages.difference(
                basis(draft, required), KnownTopics.of(draft).existing(required));
    }

    private static SortedMap<String, TopicInfo> basis(GroupDraft draft, SortedSet<String> required) {
        TreeMap<String, TopicInfo> basis = new TreeMap<>(draft.group().topicBasis());
        basis.keySet().retainAll(required);
        return basis;
    }

    private static void raiseIfConfigsChanged(GroupDraft draft, GroupSet status) {
        TreeSet<String> changed = new TreeSet<>();
        if (draft.config(GroupConfigs.STREAMS_NUM_STANDBY_REPLICAS) != status.numStandbyReplicas()) {
            changed.add(told(draft, GroupConfigs.STREAMS_NUM_STANDBY_REPLICAS));
        }
        SortedMap<String, String> now = assignmentConfigs(draft);
        TreeSet<String> names = new TreeSet<>(status.assignmentConfigs().keySet());
        names.addAll(now.keySet());
        names.stream()
                .filter(name -> !Objects.equals(
                        now.get(name), status.assignmentConfigs().get(name)))
                .filter(name ->
                        name.equals(GroupConfigs.STREAMS_RACK_AWARE_TAGS) || StreamsTargetAssignments.followsLag(draft))
                .forEach(name -> changed.add(told(draft, name)));
        if (!changed.isEmpty()) {
            raise(draft, Reason.CONFIGURATION_CHANGED, "", String.join(", ", changed));
        }
    }

    /** What a config is now, in words for the history. */
    static String told(GroupDraft draft, String name) {
        String own = draft.group().configs().get(name);
        if (own != null) {
            return name + " is " + (own.isEmpty() ? "empty" : own);
        }
        String standard = GroupConfigs.defaultText(name, draft.context().config());
        return name + (standard.isEmpty() ? " is no longer set" : " is " + standard + " (the default)");
    }

    /** The configs, beside the number of standby replicas, whose change makes a new target due. */
    static SortedMap<String, String> assignmentConfigs(GroupDraft draft) {
        return draft.context().featureLevel() < FeatureLevel.ASSIGNMENT_CONFIGS
                ? new TreeMap<>()
                : GroupConfigs.ofAssignment(draft.group(), draft.context().config());
    }
}
