package io.muster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClaimIdentity;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.CommonRecord;
import io.muster.core.ConsumerRecord;
import io.muster.core.Group;
import io.muster.core.GroupDescription;
import io.muster.core.GroupRecord;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.runtime.RecordBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** What must hold whatever happens. A violation names what it saw; the seed replays it. */
final class Checks implements AppliedObserver {
    /** What a member was told: its epoch, and partitions that it may use. */
    record Told(String memberId, int memberEpoch, Set<TopicPartition> partitions) {}

    private final Map<Long, List<Verdict>> verdictsByIndex = new HashMap<>();
    private final Map<String, Integer> groupEpochs = new HashMap<>();
    /** By group and log index: where its members stood from there on. */
    private final Map<String, NavigableMap<Long, List<Holder>>> states = new HashMap<>();

    private final Set<String> appliedTokens = new HashSet<>();
    private final Map<String, Map<TopicPartition, String>> owners = new TreeMap<>();
    private SimulatedUpstream upstream = new SimulatedUpstream(new VirtualTime(0));
    private int appliedBatches;
    private int deletions;
    private int historiesForgotten;
    private int commitsTaken;

    void upstream(SimulatedUpstream next) {
        upstream = next;
    }

    int appliedBatches() {
        return appliedBatches;
    }

    int commitsTaken() {
        return commitsTaken;
    }

    int deletions() {
        return deletions;
    }

    int historiesForgotten() {
        return historiesForgotten;
    }

    @Override
    public boolean isNew(long index) {
        return !verdictsByIndex.containsKey(index);
    }

    @Override
    public void applied(
            SimulatedNode node, SimulatedCluster.Logged logged, List<String> before, List<Verdict> verdicts) {
        long index = logged.at().index();
        List<Verdict> others = verdictsByIndex.putIfAbsent(index, verdicts);
        if (others != null) {
            assertThat(verdicts).as("verdicts of entry %d on every node", index).isEqualTo(others);
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < verdicts.size(); i++) {
            RecordBatch batch = logged.entry().batches().get(i);
            if (verdicts.get(i) == Verdict.APPLIED) {
                boolean first = seen.add(batch.groupId());
                counted(logged, batch, i);
                if (first) {
                    assertThat(logged.proposal().baseStates().get(i))
                            .as(
                                    "entry %d changes group %s as it was when that was decided (lost update)",
                                    index, batch.groupId())
                            .isEqualTo(before.get(i));
                }
                sound(node, index, batch);
            }
        }
    }

    private void counted(SimulatedCluster.Logged logged, RecordBatch batch, int position) {
        appliedBatches++;
        String once = logged.entry().token() + "/" + position;
        assertThat(appliedTokens.add(once))
                .as("batch %s of group %s is applied once", once, batch.groupId())
                .isTrue();
    }

    private void sound(SimulatedNode node, long index, RecordBatch batch) {
        Group group = node.group(batch.groupId());
        for (GroupRecord record : batch.records()) {
            if (record instanceof CommonRecord.GroupDeleted) {
                groupEpochs.remove(batch.groupId());
                deletions++;
            } else if (record instanceof CommonRecord.HistoryForgotten) {
                historiesForgotten++;
                assertThat(group.exists())
                        .as("group %s whose history is forgotten exists", batch.groupId())
                        .isFalse();
            } else if (record instanceof ConsumerRecord.GroupSet set) {
                int last = groupEpochs.getOrDefault(batch.groupId(), 0);
                assertThat(set.groupEpoch())
                        .as("epoch of group %s", batch.groupId())
                        .isGreaterThanOrEqualTo(last);
                groupEpochs.put(batch.groupId(), set.groupEpoch());
            }
        }
        states.computeIfAbsent(batch.groupId(), id -> new TreeMap<>()).put(index, holders(group));
        oneOwnerEach(group);
    }

    private record Holder(String memberId, int memberEpoch, Set<TopicPartition> held) {}

    private static List<Holder> holders(Group group) {
        if (!group.exists()) {
            return List.of();
        }
        List<Holder> holders = new ArrayList<>();
        if (describe(group) instanceof GroupDescription.Consumer consumer) {
            for (GroupDescription.ConsumerMember member : consumer.members()) {
                Set<TopicPartition> held = new HashSet<>();
                member.assignment()
                        .forEach((id, number) -> held.add(new TopicPartition(SimulatedTopics.nameOf(id), number)));
                holders.add(new Holder(member.memberId(), member.memberEpoch(), held));
            }
        } else if (describe(group) instanceof GroupDescription.Streams streams) {
            for (GroupDescription.StreamsMember member : streams.members()) {
                Set<TopicPartition> held = new HashSet<>();
                member.assignment()
                        .active()
                        .forEach((id, number) -> held.add(new TopicPartition(SimulatedTopics.sourceOf(id), number)));
                holders.add(new Holder(member.memberId(), member.memberEpoch(), held));
            }
        }
        return holders;
    }

    private static GroupDescription describe(Group group) {
        return Describing.describe(group);
    }

    private void oneOwnerEach(Group group) {
        Map<TopicPartition, String> now = new HashMap<>();
        for (Holder holder : holders(group)) {
            for (TopicPartition partition : holder.held()) {
                String other = now.put(partition, holder.memberId());
                assertThat(other)
                        .as("owners of %s in group %s", partition, group.id())
                        .isNull();
            }
        }
        owners.put(group.id(), now);
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

    /** A commit reached the broker: if it takes it, nobody but the committer may own the partition in the applied state. */
    void committed(String groupId, String memberId, ClaimIdentity identity, TopicPartition partition) {
        if (!upstream.takes(groupId, identity)) {
            return;
        }
        commitsTaken++;
        String owner = owners.getOrDefault(groupId, Map.of()).get(partition);
        assertThat(owner == null || owner.equals(memberId))
                .as("a commit of %s by %s was taken though %s owns it in group %s", partition, memberId, owner, groupId)
                .isTrue();
    }

    @Override
    public void equalStores(List<String> digests) {
        assertThat(digests.stream().distinct().toList())
                .as("stores are equal byte for byte")
                .hasSize(1);
    }
}
