package io.muster.core.streams;

import io.muster.core.CommonRecord;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.KnownTopics;
import io.muster.core.StreamsRecord.GroupSet;
import io.muster.core.TopicInfo;
import io.muster.core.Topology;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Raises the group epoch, which makes a new target due. */
final class GroupEpoch {
    private GroupEpoch() {}

    /** Raises the epoch by one and says why in the history. An empty group needs no target: its assignment epoch follows. */
    static void raise(GroupDraft draft, Reason reason, String memberId, String detail) {
        StreamsGroup group = Streams.group(draft);
        SortedMap<String, TopicInfo> basis = basis(draft, group);
        int validated = Streams.configured(draft).validatedEpoch();
        if (!basis.equals(draft.group().topicBasis())) {
            draft.emit(new CommonRecord.TopicBasisSet(basis));
        }
        GroupSet status = group.status();
        int epoch = status.groupEpoch() + 1;
        int standbys = Streams.config(draft, GroupConfigs.STREAMS_NUM_STANDBY_REPLICAS);
        draft.emit(
                group.isEmpty()
                        ? new GroupSet(epoch, epoch, 0, validated, standbys, "")
                        : new GroupSet(
                                epoch,
                                status.assignmentEpoch(),
                                status.assignedAtMillis(),
                                validated,
                                standbys,
                                status.shutdownMemberId()));
        draft.history(reason, memberId, detail);
    }

    /**
     * Raises the epoch if topics or configs ask for it. While a group stays not ready, topics alone do not: its members have
     * nothing to gain.
     */
    static void raiseIfDue(GroupDraft draft, ConfiguredTopology configured) {
        StreamsGroup group = Streams.group(draft);
        GroupSet status = group.status();
        SortedMap<String, TopicInfo> basis = basis(draft, group);
        boolean topicsChanged = !basis.equals(draft.group().topicBasis());
        if (configured.validatedEpoch() != status.validatedTopologyEpoch() || (configured.isReady() && topicsChanged)) {
            raise(draft, Reason.TOPICS_CHANGED, "", difference(draft.group().topicBasis(), basis));
        } else if (Streams.config(draft, GroupConfigs.STREAMS_NUM_STANDBY_REPLICAS) != status.numStandbyReplicas()) {
            raise(draft, Reason.CONFIGURATION_CHANGED, "", GroupConfigs.STREAMS_NUM_STANDBY_REPLICAS);
        }
    }

    private static SortedMap<String, TopicInfo> basis(GroupDraft draft, StreamsGroup group) {
        return KnownTopics.of(draft)
                .existing(group.topology().map(Topology::requiredTopics).orElseGet(TreeSet::new));
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
