package io.muster.core.streams;

import io.muster.core.CommonRecord;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.KnownTopics;
import io.muster.core.StreamsRecord.GroupSet;
import io.muster.core.TopicInfo;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** Raises the group epoch, which makes a new target due. */
final class GroupEpoch {
    private GroupEpoch() {}

    /** Raises the epoch by one and says why in the history. An empty group needs no target: its assignment epoch follows. */
    static void raise(GroupDraft draft, Reason reason, String memberId, String detail) {
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
                Streams.config(draft, GroupConfigs.STREAMS_NUM_STANDBY_REPLICAS),
                empty ? "" : status.shutdownMemberId()));
        draft.history(reason, memberId, detail);
    }

    /**
     * Raises the epoch if topologies, topics or configs ask for it. While a group stays not ready, topics alone do not: its members
     * have nothing to gain.
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
        boolean topicsChanged = inForce.isReady() && !now.equals(before);
        if (inForce.validatedEpoch() != status.validatedTopologyEpoch() || topicsChanged) {
            raise(draft, Reason.TOPICS_CHANGED, "", difference(before, now));
        } else if (Streams.config(draft, GroupConfigs.STREAMS_NUM_STANDBY_REPLICAS) != status.numStandbyReplicas()) {
            raise(draft, Reason.CONFIGURATION_CHANGED, "", GroupConfigs.STREAMS_NUM_STANDBY_REPLICAS);
        }
    }

    private static String difference(SortedMap<String, TopicInfo> before, SortedMap<String, TopicInfo> after) {
        TreeMap<String, TopicInfo> all = new TreeMap<>(before);
        all.putAll(after);
        all.keySet().removeIf(name -> {
            TopicInfo old = before.get(name);
            return old != null && old.equals(after.get(name));
        });
        return String.join(", ", all.keySet());
    }
}
