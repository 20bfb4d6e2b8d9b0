package io.muster.cluster.order;

import io.muster.cluster.kafka.RawKafka;
import io.muster.cluster.kafka.RawKafka.Sending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.StreamsGroupDescribeRequestData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.Subtopology;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.Topology;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A raw connection, with requests about one group and one partition of one topic. */
public record GroupConnection(RawKafka raw, String group, String topic, Uuid topicId) implements AutoCloseable {
    static final int JOIN = 0;
    static final int LEAVE = -1;
    static final int LEAVE_FOR_A_WHILE = -2;

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int REBALANCE_MILLIS = 60_000;
    private static final int BY_NAME = 9;
    private static final int BY_ID = 10;
    private static final long NO_OFFSET = -1;

    public static GroupConnection open(int port, String group, String topic, Uuid topicId) {
        return new GroupConnection(new RawKafka(port).waitAtMost(LIMIT), group, topic, topicId);
    }

    /** Sends all in one write; the answers in their order. */
    public List<ApiMessage> callTogether(Sending... requests) {
        raw.sendTogether(requests);
        List<ApiMessage> answers = new ArrayList<>();
        for (Sending one : requests) {
            answers.add(raw.receive(one.api(), one.version()));
        }
        return answers;
    }

    /** A consumer's heartbeat. */
    public Sending heartbeat(String member, int epoch) {
        return heartbeat(member, epoch, null);
    }

    Sending heartbeat(String member, int epoch, @Nullable String instanceId) {
        ConsumerGroupHeartbeatRequestData request = new ConsumerGroupHeartbeatRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setInstanceId(instanceId)
                .setMemberEpoch(epoch)
                .setRebalanceTimeoutMs(-1);
        if (epoch == JOIN) {
            request.setRebalanceTimeoutMs(REBALANCE_MILLIS)
                    .setSubscribedTopicNames(List.of(topic))
                    .setTopicPartitions(List.of());
        }
        return new Sending(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, request);
    }

    /** A Streams instance's heartbeat. */
    Sending streamsHeartbeat(String member, int epoch) {
        StreamsGroupHeartbeatRequestData request = new StreamsGroupHeartbeatRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setMemberEpoch(epoch);
        if (epoch == JOIN) {
            Subtopology only = new Subtopology().setSubtopologyId("0").setSourceTopics(List.of(topic));
            request.setRebalanceTimeoutMs(REBALANCE_MILLIS)
                    .setProcessId("p")
                    .setActiveTasks(List.of())
                    .setStandbyTasks(List.of())
                    .setWarmupTasks(List.of())
                    .setClientTags(List.of())
                    .setTopology(new Topology().setEpoch(0).setSubtopologies(List.of(only)));
        }
        return new Sending(ApiKeys.STREAMS_GROUP_HEARTBEAT, 0, request);
    }

    /** Joins, as soon as the brokers have a coordinator; the member's epoch. */
    public int join(String member) {
        return join(heartbeat(member, JOIN));
    }

    /** Sends this heartbeat until it is accepted; the member's epoch. */
    int join(Sending heartbeat) {
        ApiMessage answer = Awaitility.await()
                .atMost(LIMIT)
                .until(() -> callTogether(heartbeat).get(0), said -> errorOf(said) == Errors.NONE);
        return answer instanceof ConsumerGroupHeartbeatResponseData consumer
                ? consumer.memberEpoch()
                : ((StreamsGroupHeartbeatResponseData) answer).memberEpoch();
    }

    /** A commit by topic id, which only a gateway that knows the topic can judge at once. */
    Sending commitById(String member, int epoch, long offset) {
        return commit(BY_ID, member, epoch, offset);
    }

    public Sending commitByName(String member, int epoch, long offset) {
        return commit(BY_NAME, member, epoch, offset);
    }

    private Sending commit(int version, String member, int epoch, long offset) {
        OffsetCommitRequestData request = new OffsetCommitRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setGenerationIdOrMemberEpoch(epoch)
                .setTopics(List.of(new OffsetCommitRequestTopic()
                        .setName(topic)
                        .setTopicId(topicId)
                        .setPartitions(List.of(new OffsetCommitRequestPartition()
                                .setPartitionIndex(0)
                                .setCommittedOffset(offset)
                                .setCommittedMetadata("")))));
        return new Sending(ApiKeys.OFFSET_COMMIT, version, request);
    }

    Sending fetch() {
        OffsetFetchRequestGroup asked = new OffsetFetchRequestGroup()
                .setGroupId(group)
                .setMemberId(null)
                .setMemberEpoch(-1)
                .setTopics(List.of(new OffsetFetchRequestTopics().setName(topic).setPartitionIndexes(List.of(0))));
        return new Sending(ApiKeys.OFFSET_FETCH, BY_NAME, new OffsetFetchRequestData().setGroups(List.of(asked)));
    }

    /** The offset that is committed now, -1 if none. */
    public long committed() {
        return offsetIn(callTogether(fetch()).get(0));
    }

    static long offsetIn(ApiMessage fetched) {
        var topics = ((OffsetFetchResponseData) fetched).groups().get(0).topics();
        return topics.isEmpty() ? NO_OFFSET : topics.get(0).partitions().get(0).committedOffset();
    }

    /** How many members the consumer group has, none if it is not there. */
    int members() {
        ConsumerGroupDescribeRequestData request = new ConsumerGroupDescribeRequestData().setGroupIds(List.of(group));
        return raw.call(ApiKeys.CONSUMER_GROUP_DESCRIBE, 1, request, ConsumerGroupDescribeResponseData.class)
                .groups()
                .get(0)
                .members()
                .size();
    }

    /** How many members the Streams group has, none if it is not there. */
    int streamsMembers() {
        StreamsGroupDescribeRequestData request = new StreamsGroupDescribeRequestData().setGroupIds(List.of(group));
        return raw.call(ApiKeys.STREAMS_GROUP_DESCRIBE, 0, request, StreamsGroupDescribeResponseData.class)
                .groups()
                .get(0)
                .members()
                .size();
    }

    /** The error of a heartbeat, or of a commit's one partition. */
    public static Errors errorOf(ApiMessage answer) {
        if (answer instanceof OffsetCommitResponseData commit) {
            return Errors.forCode(commit.topics().get(0).partitions().get(0).errorCode());
        }
        return Errors.forCode(
                answer instanceof ConsumerGroupHeartbeatResponseData consumer
                        ? consumer.errorCode()
                        : ((StreamsGroupHeartbeatResponseData) answer).errorCode());
    }

    @Override
    public void close() {
        raw.close();
    }
}
