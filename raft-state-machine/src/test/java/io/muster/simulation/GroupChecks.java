package io.muster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.CommonRecord;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.Group;
import io.muster.core.GroupDescription;
import io.muster.core.GroupRecord;
import io.muster.core.StreamsGroupRecord;
import io.muster.runtime.RecordBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What must hold of each group as its entries are applied, and of what members are told of it. */
final class GroupChecks {
    /** What a member was told: its epoch, and partitions that it may use. */
    record Told(String memberId, int memberEpoch, Set<TopicPartition> partitions) {}

    private record Holder(String memberId, int memberEpoch, Set<TopicPartition> held) {}

    private final Map<String, Integer> groupEpochs = new HashMap<>();
    /** By group and log index: where its members stood from there on. */
    private final Map<String, NavigableMap<Long, List<Holder>>> states = new HashMap<>();

    private final Map<String, Map<TopicPartition, String>> owners = new TreeMap<>();
    /** By group: when it was deleted last, virtual milliseconds. */
    private final Map<String, Long> deletedAt = new HashMap<>();

    private final VirtualTime time;
    private final SimulatedTopics topics;
    private int deletions;
    private int historiesForgotten;
    private int expirations;

    GroupChecks(VirtualTime time, SimulatedTopics topics) {
        this.time = time;
        this.topics = topics;
    }

    int deletions() {
        return deletions;
    }

    int historiesForgotten() {
        return historiesForgotten;
    }

    int expirations() {
        return expirations;
    }

    @Nullable
    String ownerOf(String groupId, TopicPartition partition) {
        return owners.getOrDefault(groupId, Map.of()).get(partition);
    }

    /** When the group was deleted last, virtual milliseconds; before all time if it never was. */
    long deletedAt(String groupId) {
        return deletedAt.getOrDefault(groupId, -1L);
    }

    /** Log index of the last change of a group, 0 if there was none. */
    long changedAt(String groupId) {
        NavigableMap<Long, List<Holder>> ofGroup = states.getOrDefault(groupId, new TreeMap<>());
        return ofGroup.isEmpty() ? 0 : ofGroup.lastKey();
    }

    /** The ids of a group's members in the newest applied state. */
    Set<String> membersOf(String groupId) {
        Set<String> ids = new HashSet<>();
        Map.Entry<Long, List<Holder>> last =
                states.getOrDefault(groupId, new TreeMap<>()).lastEntry();
        if (last != null) {
            last.getValue().forEach(holder -> ids.add(holder.memberId()));
        }
        return ids;
    }

    /** A batch was applied for the first time; this is the group after it. */
    void applied(long index, RecordBatch batch, Group group) {
        for (GroupRecord record : batch.records()) {
            follow(batch.groupId(), record);
        }
        List<Holder> holders = holders(group);
        states.computeIfAbsent(batch.groupId(), id -> new TreeMap<>()).put(index, holders);
        oneOwnerEach(group.id(), holders);
    }

    private void follow(String groupId, GroupRecord record) {
        if (record instanceof CommonRecord.GroupDeleted) {
            groupEpochs.remove(groupId);
            deletedAt.put(groupId, time.now());
            deletions++;
        } else if (record instanceof CommonRecord.HistoryForgotten) {
            historiesForgotten++;
            assertThat(groupEpochs)
                    .as("groups that exist when a history is forgotten")
                    .doesNotContainKey(groupId);
        } else if (record instanceof ConsumerGroupRecord.GroupSet set) {
            neverFalls(groupId, set.groupEpoch());
        } else if (record instanceof StreamsGroupRecord.GroupSet set) {
            neverFalls(groupId, set.groupEpoch());
        } else if (record instanceof CommonRecord.HistoryAppended appended
                && appended.entry().reason() == io.muster.core.HistoryEntry.Reason.SESSION_EXPIRED) {
            expirations++;
        }
    }

    private void neverFalls(String groupId, int epoch) {
        int last = groupEpochs.getOrDefault(groupId, 0);
        assertThat(epoch).as("epoch of group %s", groupId).isGreaterThanOrEqualTo(last);
        groupEpochs.put(groupId, epoch);
    }

    private List<Holder> holders(Group group) {
        if (!group.exists()) {
            return List.of();
        }
        List<Holder> holders = new ArrayList<>();
        GroupDescription description = Describing.describe(group);
        if (description instanceof GroupDescription.Consumer consumer) {
            for (GroupDescription.ConsumerMember member : consumer.members()) {
                holders.add(
                        new Holder(member.memberId(), member.memberEpoch(), topics.partitions(member.assignment())));
            }
        } else if (description instanceof GroupDescription.Streams streams) {
            for (GroupDescription.StreamsMember member : streams.members()) {
                holders.add(new Holder(
                        member.memberId(),
                        member.memberEpoch(),
                        SimulatedTopics.sources(member.assignment().active())));
            }
        }
        return holders;
    }

    private void oneOwnerEach(String groupId, List<Holder> holders) {
        Map<TopicPartition, String> now = new HashMap<>();
        for (Holder holder : holders) {
            for (TopicPartition partition : holder.held()) {
                String other = now.put(partition, holder.memberId());
                assertThat(other)
                        .as("owners of %s in group %s", partition, groupId)
                        .isNull();
            }
        }
        owners.put(groupId, now);
    }

    /** A reply told a member where it stands: some state that was in force since the request was sent must say the same. */
    void replied(String groupId, Told told, long sentAtIndex) {
        NavigableMap<Long, List<Holder>> ofGroup = states.getOrDefault(groupId, new TreeMap<>());
        Long from = ofGroup.floorKey(sentAtIndex);
        boolean stood = ofGroup.tailMap(from == null ? 0L : from, true).values().stream()
                .flatMap(List::stream)
                .anyMatch(holder -> holder.memberId().equals(told.memberId())
                        && holder.memberEpoch() == told.memberEpoch()
                        && holder.held().containsAll(told.partitions()));
        assertThat(stood)
                .as("reply %s in group %s (sent at %d) stood in the applied state", told, groupId, sentAtIndex)
                .isTrue();
    }

    /** Once nothing goes wrong any more, every member is up to date and every partition has an owner. */
    void restored(Group group, int members, Set<TopicPartition> partitions) {
        List<Holder> holders = holders(group);
        assertThat(holders).as("members of group %s", group.id()).hasSize(members);
        assertThat(holders)
                .as("members of group %s are at its epoch", group.id())
                .allMatch(holder -> holder.memberEpoch() == group.typed().groupEpoch());
        Set<TopicPartition> held = new HashSet<>();
        holders.forEach(holder -> held.addAll(holder.held()));
        assertThat(held).as("what members of group %s have", group.id()).isEqualTo(partitions);
    }
}
