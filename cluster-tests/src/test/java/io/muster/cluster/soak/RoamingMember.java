package io.muster.cluster.soak;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** One member's time in the group, from its join until it leaves, or is seen no more. */
final class RoamingMember {
    private static final int REBALANCE_MILLIS = 30_000;
    private static final int SHORTEST_LIFE_MILLIS = 2_000;
    private static final int LONGEST_LIFE_MILLIS = 15_000;
    private static final int BETWEEN_MILLIS = 250;
    private static final int LEAVING = -1;
    private static final int BY_NAME = 9;

    /** Somebody is away or busy; the next try may do. */
    private static final Set<Errors> PASSING = Set.of(
            Errors.COORDINATOR_NOT_AVAILABLE,
            Errors.COORDINATOR_LOAD_IN_PROGRESS,
            Errors.NOT_COORDINATOR,
            Errors.REQUEST_TIMED_OUT);

    private final RoamingGroup group;
    private final Random random;
    private final RoamingConnection connection;
    private final String memberId = UUID.randomUUID().toString();
    private final Membership membership;
    private final Map<Integer, Long> next = new TreeMap<>();
    private List<ConsumerGroupHeartbeatRequestData.TopicPartitions> owned = List.of();
    private boolean refused;

    RoamingMember(RoamingGroup group, Random random) {
        this.group = group;
        this.random = random;
        this.connection = new RoamingConnection(group, random);
        this.membership = new Membership(memberId, group.violations());
    }

    void live() throws InterruptedException {
        try (connection) {
            long end = System.nanoTime()
                    + 1_000_000L * (SHORTEST_LIFE_MILLIS + random.nextInt(LONGEST_LIFE_MILLIS - SHORTEST_LIFE_MILLIS));
            while (membership.goesOn() && !group.isOver() && (group.isCalm() || System.nanoTime() < end)) {
                heartbeat();
                if (membership.goesOn()) {
                    findCounts();
                    count();
                }
                group.rest(random.nextInt(2 * BETWEEN_MILLIS));
            }
            if (membership.goesOn() && random.nextInt(4) > 0) {
                var unused = connection.ask(
                        ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                        1,
                        body().setMemberEpoch(LEAVING),
                        ConsumerGroupHeartbeatResponseData.class);
            }
        }
    }

    private ConsumerGroupHeartbeatRequestData body() {
        return new ConsumerGroupHeartbeatRequestData()
                .setGroupId(RoamingGroup.NAME)
                .setMemberId(memberId)
                .setMemberEpoch(membership.epoch());
    }

    private void heartbeat() {
        ConsumerGroupHeartbeatRequestData full = body().setRebalanceTimeoutMs(REBALANCE_MILLIS)
                .setSubscribedTopicNames(List.of(group.topic()))
                .setTopicPartitions(membership.epoch() == 0 ? List.of() : owned);
        connection
                .ask(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, full, ConsumerGroupHeartbeatResponseData.class)
                .ifPresentOrElse(this::told, membership::heardNothing);
    }

    private void told(ConsumerGroupHeartbeatResponseData answer) {
        Errors error = Errors.forCode(answer.errorCode());
        if (PASSING.contains(error)) {
            membership.heardNothing();
            connection.leave();
            return;
        }
        membership.told(error, answer.memberEpoch());
        if (error == Errors.NONE && refused) {
            group.violations().add(memberId + " is a member, but a commit of it was refused with UNKNOWN_MEMBER_ID");
        }
        if (error == Errors.NONE && answer.assignment() != null) {
            assigned(answer.assignment().topicPartitions());
        }
    }

    private void assigned(List<ConsumerGroupHeartbeatResponseData.TopicPartitions> topics) {
        owned = topics.stream()
                .map(topic -> new ConsumerGroupHeartbeatRequestData.TopicPartitions()
                        .setTopicId(topic.topicId())
                        .setPartitions(topic.partitions()))
                .toList();
        next.keySet().retainAll(partitions());
    }

    private Set<Integer> partitions() {
        Set<Integer> partitions = new HashSet<>();
        owned.forEach(topic -> partitions.addAll(topic.partitions()));
        return partitions;
    }

    /** Asks where the last owners stopped. */
    private void findCounts() {
        Map<Integer, Long> floors = new TreeMap<>();
        for (int partition : partitions()) {
            if (!next.containsKey(partition)) {
                floors.put(partition, group.counters().floor(partition));
            }
        }
        if (floors.isEmpty()) {
            return;
        }
        OffsetFetchRequestData.OffsetFetchRequestGroup asked = new OffsetFetchRequestData.OffsetFetchRequestGroup()
                .setGroupId(RoamingGroup.NAME)
                .setMemberId(memberId)
                .setMemberEpoch(membership.epoch())
                .setTopics(List.of(new OffsetFetchRequestData.OffsetFetchRequestTopics()
                        .setName(group.topic())
                        .setPartitionIndexes(List.copyOf(floors.keySet()))));
        connection
                .ask(
                        ApiKeys.OFFSET_FETCH,
                        BY_NAME,
                        new OffsetFetchRequestData().setRequireStable(true).setGroups(List.of(asked)),
                        OffsetFetchResponseData.class)
                .ifPresent(answer -> found(answer, floors));
    }

    private void found(OffsetFetchResponseData answer, Map<Integer, Long> floors) {
        answer.groups().get(0).topics().stream()
                .flatMap(topic -> topic.partitions().stream())
                .filter(partition -> partition.errorCode() == Errors.NONE.code())
                .forEach(partition -> {
                    int number = partition.partitionIndex();
                    long committed = Math.max(0, partition.committedOffset());
                    group.counters().found(memberId, number, committed, floors.getOrDefault(number, 0L));
                    next.put(number, committed + 1);
                });
    }

    /** Commits the next number in each partition; what was not answered is said again. */
    private void count() {
        if (next.isEmpty()) {
            return;
        }
        List<OffsetCommitRequestData.OffsetCommitRequestPartition> partitions = new ArrayList<>();
        next.forEach((partition, number) -> partitions.add(new OffsetCommitRequestData.OffsetCommitRequestPartition()
                .setPartitionIndex(partition)
                .setCommittedOffset(number)));
        OffsetCommitRequestData commit = new OffsetCommitRequestData()
                .setGroupId(RoamingGroup.NAME)
                .setMemberId(memberId)
                .setGenerationIdOrMemberEpoch(membership.epoch())
                .setTopics(List.of(new OffsetCommitRequestData.OffsetCommitRequestTopic()
                        .setName(group.topic())
                        .setPartitions(partitions)));
        connection
                .ask(ApiKeys.OFFSET_COMMIT, BY_NAME, commit, OffsetCommitResponseData.class)
                .ifPresent(this::counted);
    }

    private void counted(OffsetCommitResponseData answer) {
        answer.topics().stream().flatMap(topic -> topic.partitions().stream()).forEach(partition -> {
            Errors error = Errors.forCode(partition.errorCode());
            int number = partition.partitionIndex();
            switch (error) {
                case NONE -> {
                    group.counters().counted(memberId, number, next.getOrDefault(number, 0L));
                    next.computeIfPresent(number, (key, counted) -> counted + 1);
                }
                case UNKNOWN_MEMBER_ID -> refused = true;
                case STALE_MEMBER_EPOCH -> {}
                default -> {
                    if (!PASSING.contains(error)) {
                        group.violations().add("a commit of " + memberId + " was refused with " + error);
                    }
                }
            }
        });
    }
}
