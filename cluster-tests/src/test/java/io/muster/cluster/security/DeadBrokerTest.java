package io.muster.cluster.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.clients.GroupView;
import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.RawKafka;
import io.muster.cluster.kafka.RawKafka.Sending;
import io.muster.cluster.kafka.Users;
import io.muster.cluster.nodes.MusterCluster;
import io.muster.cluster.nodes.MusterNode;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The broker that asks who its clients are is dead, and its port at the gateway is open. */
class DeadBrokerTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Users USERS = new Users(List.of());
    private static final String GROUP = "dead-brokers-group";
    private static final String MEMBER = "founder";
    private static final int WRONG_EPOCH = 1_000;

    @Test
    void clientThatNeverSaidWhoItIs_learnsNothingAndChangesNothing() {
        KafkaSetup setup = KafkaSetup.withoutModernGroups(KafkaVersion.V4_4).withUsers(USERS);
        try (KafkaBrokers brokers = KafkaBrokers.start(setup);
                MusterCluster muster = MusterCluster.startOne(brokers, USERS.upstreamProperties(Users.ADMINISTRATOR))) {
            // Given
            MusterNode node = muster.nodes().get(0);
            int epoch = join(node);
            GroupView before = GroupView.of(node, GROUP);

            // When
            brokers.kill(0);

            // Then a right guess is answered as a wrong one is, and nothing as a success
            assertThat(answer(node, heartbeat(epoch))).isEqualTo(answer(node, heartbeat(WRONG_EPOCH)));
            List.of(
                            heartbeat(epoch),
                            heartbeat(WRONG_EPOCH),
                            join(MEMBER),
                            join("intruder"),
                            heartbeat(-1),
                            commit(epoch),
                            describe())
                    .forEach(asked -> assertThat(answer(node, asked))
                            .as(asked.toString())
                            .isIn("closed", "[COORDINATOR_NOT_AVAILABLE]"));
            assertThat(GroupView.of(node, GROUP)).isEqualTo(before);
        }
    }

    private static int join(MusterNode node) {
        try (RawKafka founder =
                new RawKafka(node.gatewayPort()).waitAtMost(LIMIT).as(Users.ADMINISTRATOR)) {
            return Awaitility.await()
                    .atMost(LIMIT)
                    .until(() -> call(founder, join(MEMBER)), joined -> joined.errorCode() == 0)
                    .memberEpoch();
        }
    }

    private static ConsumerGroupHeartbeatResponseData call(RawKafka connection, Sending asked) {
        return connection.call(asked.api(), asked.version(), asked.request(), ConsumerGroupHeartbeatResponseData.class);
    }

    /** What a client without a name hears on a connection of its own. */
    private static String answer(MusterNode node, Sending asked) {
        try (RawKafka nobody = new RawKafka(node.gatewayPort()).waitAtMost(LIMIT)) {
            nobody.send(asked.api(), asked.version(), asked.request());
            ApiMessage answer = nobody.receive(asked.api(), asked.version());
            return errors(asked, answer).toString();
        } catch (UncheckedIOException e) {
            return "closed";
        }
    }

    private static Set<Errors> errors(Sending asked, ApiMessage answer) {
        short version = (short) asked.version();
        ByteBufferAccessor bytes = MessageUtil.toByteBufferAccessor(answer, version);
        return new TreeSet<>(AbstractResponse.parseResponse(asked.api(), bytes, version)
                .errorCounts()
                .keySet());
    }

    private static Sending join(String member) {
        return new Sending(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, HeartbeatQuestions.join(GROUP, member, List.of("in")));
    }

    /** A heartbeat that says nothing else; a leave if the epoch is -1. */
    private static Sending heartbeat(int epoch) {
        return new Sending(
                ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                1,
                new ConsumerGroupHeartbeatRequestData()
                        .setGroupId(GROUP)
                        .setMemberId(MEMBER)
                        .setMemberEpoch(epoch));
    }

    private static Sending commit(int epoch) {
        OffsetCommitRequestTopic topic = new OffsetCommitRequestTopic()
                .setName("in")
                .setPartitions(List.of(new OffsetCommitRequestPartition()
                        .setPartitionIndex(0)
                        .setCommittedOffset(7)
                        .setCommittedMetadata("")));
        return new Sending(
                ApiKeys.OFFSET_COMMIT,
                9,
                new OffsetCommitRequestData()
                        .setGroupId(GROUP)
                        .setMemberId(MEMBER)
                        .setGenerationIdOrMemberEpoch(epoch)
                        .setTopics(List.of(topic)));
    }

    private static Sending describe() {
        return new Sending(
                ApiKeys.CONSUMER_GROUP_DESCRIBE, 1, new ConsumerGroupDescribeRequestData().setGroupIds(List.of(GROUP)));
    }
}
