package io.muster.cluster.soak;

import io.muster.cluster.kafka.RawKafka;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData.TopicPartitions;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** One of the many members of a {@link Crowd}: it takes what it is assigned and gives up the rest at once. */
final class CrowdMember {
    private static final int VERSION = 1;
    private static final int REBALANCE_MILLIS = 60_000;

    /** A node is away, or has just taken over; the next try may do. */
    private static final Set<Errors> PASSING =
            Set.of(Errors.COORDINATOR_NOT_AVAILABLE, Errors.COORDINATOR_LOAD_IN_PROGRESS, Errors.NOT_COORDINATOR);

    private final String groupId;
    private final String memberId;
    private final String topic;
    private volatile int epoch;
    private volatile List<TopicPartitions> owned = List.of();

    CrowdMember(String groupId, String memberId, String topic) {
        this.groupId = groupId;
        this.memberId = memberId;
        this.topic = topic;
    }

    /** The member epoch, 0 until it has joined. */
    int epoch() {
        return epoch;
    }

    /** Partitions that it may read. */
    List<Integer> partitions() {
        return owned.stream().flatMap(each -> each.partitions().stream()).toList();
    }

    /**
     * Sends one full heartbeat and does what the answer says.
     *
     * @throws IllegalStateException if the member was refused for good
     * @throws java.io.UncheckedIOException if no answer came
     */
    void heartbeat(RawKafka gateway) {
        ConsumerGroupHeartbeatResponseData answer = gateway.call(
                ApiKeys.CONSUMER_GROUP_HEARTBEAT, VERSION, request(), ConsumerGroupHeartbeatResponseData.class);
        Errors error = Errors.forCode(answer.errorCode());
        if (error == Errors.FENCED_MEMBER_EPOCH) {
            rejoin(); // two answers may have been lost with a node
        } else if (error == Errors.NONE) {
            epoch = answer.memberEpoch();
            if (answer.assignment() != null) {
                owned = answer.assignment().topicPartitions();
            }
        } else if (!PASSING.contains(error)) {
            throw new IllegalStateException(
                    memberId + " at epoch " + epoch + ": " + error + ", " + answer.errorMessage());
        }
    }

    private void rejoin() {
        epoch = 0;
        owned = List.of();
    }

    private ConsumerGroupHeartbeatRequestData request() {
        return new ConsumerGroupHeartbeatRequestData()
                .setGroupId(groupId)
                .setMemberId(memberId)
                .setMemberEpoch(epoch)
                .setRebalanceTimeoutMs(REBALANCE_MILLIS)
                .setSubscribedTopicNames(List.of(topic))
                .setTopicPartitions(owned.stream()
                        .map(each -> new ConsumerGroupHeartbeatRequestData.TopicPartitions()
                                .setTopicId(each.topicId())
                                .setPartitions(each.partitions()))
                        .toList());
    }
}
