package io.muster.cluster.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.RawKafka;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimMarks;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocolCollection;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a broker must do for Muster to own groups on it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClaimContract {
    private final KafkaVersion version;
    private KafkaBrokers brokers;
    private Claims blue;

    @SuppressWarnings("NullAway.Init")
    ClaimContract(KafkaVersion version) {
        this.version = version;
    }

    @BeforeAll
    void startBroker() throws IOException {
        brokers = KafkaBrokers.start(version, 1, Map.of("group.initial.rebalance.delay.ms", "1000"));
        blue = new Claims(brokers.bootstrap(), "blue");
        try (RawKafka broker = connection()) {
            new Offsets(broker).createTopic();
        }
    }

    @AfterAll
    void stopBroker() {
        blue.close();
        brokers.close();
    }

    @Test
    void firstJoin_isReportedLockedBeforeItIsAnswered() throws InterruptedException {
        // Given
        blue.take("warm-up");

        // When
        Claims.Ended join = blue.run("locked", new ClaimOperation.Join(Claims.SESSION_MILLIS));

        // Then
        assertThat(join.outcome()).isInstanceOf(ClaimOutcome.Joined.class);
        assertThat(join.locked()).isTrue();
    }

    @Test
    void sessionTimeout_thatIsTooLong_isShortened() throws InterruptedException {
        // Given
        blue.take("warm-up");

        // When
        ClaimOutcome outcome =
                blue.run("ladder", new ClaimOperation.Join(3_600_000)).outcome();

        // Then
        assertThat(((ClaimOutcome.Joined) outcome).sessionTimeoutMillis()).isEqualTo(1_800_000);
    }

    @Test
    void claimedGroup_refusesEveryoneElse() throws InterruptedException {
        // Given
        blue.take("others");

        // Then
        try (Claims red = new Claims(brokers.bootstrap(), "red");
                RawKafka broker = connection()) {
            assertThat(red.run("others", new ClaimOperation.Join(Claims.SESSION_MILLIS))
                            .outcome())
                    .isInstanceOf(ClaimOutcome.OwnedElsewhere.class);
            assertThat(join(broker, "others", "range").error()).isEqualTo(Errors.INCONSISTENT_GROUP_PROTOCOL);
            if (version == KafkaVersion.V4_4) {
                assertThat(consumerHeartbeat(broker, "others")).isEqualTo(Errors.GROUP_ID_NOT_FOUND);
            }
            assertThat(new Offsets(broker).commitWithoutMember("others", 1)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        }
    }

    @Test
    void claim_ofAGroupWhereAClassicMemberLives_isRefused() throws InterruptedException {
        // Given
        blue.take("warm-up");
        try (RawKafka broker = connection()) {
            Joined asked = join(broker, "classic", "range");
            join(broker, "classic", "range", asked.memberId());

            // When
            ClaimOutcome outcome = blue.run("classic", new ClaimOperation.Join(Claims.SESSION_MILLIS))
                    .outcome();

            // Then
            assertThat(outcome).isInstanceOf(ClaimOutcome.OwnedElsewhere.class);
        }
    }

    @Test
    void fence_refusesPlainCommitsOfTheOldIdentity() throws InterruptedException {
        // Given
        ClaimIdentity old = blue.take("plain");
        try (RawKafka broker = connection()) {
            Offsets offsets = new Offsets(broker);
            assertThat(offsets.commit("plain", old, 1)).isEqualTo(Errors.NONE);

            // When
            ClaimIdentity next = blue.fence("plain", old);

            // Then
            assertThat(offsets.commit("plain", old, 2)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
            assertThat(offsets.commit("plain", next, 3)).isEqualTo(Errors.NONE);
            assertThat(offsets.fetch("plain")).isEqualTo(3);
            assertThat(blue.heartbeat("plain", old))
                    .isInstanceOfSatisfying(
                            ClaimOutcome.Lost.class,
                            lost -> assertThat(lost.gone()).isFalse());
            assertThat(blue.heartbeat("plain", next)).isInstanceOf(ClaimOutcome.HeartbeatOk.class);
        }
    }

    @Test
    void fence_refusesTransactionalCommitsOfTheOldIdentity() throws InterruptedException {
        // Given
        ClaimIdentity old = blue.take("tx");
        try (RawKafka broker = connection()) {
            Offsets offsets = new Offsets(broker);
            Offsets.Transaction zombie = offsets.begin("zombie", "tx");
            Offsets.Transaction successor = offsets.begin("successor", "tx");

            // When
            ClaimIdentity next = blue.fence("tx", old);

            // Then
            assertThat(offsets.commit(zombie, "tx", old, 1, 3)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
            assertThat(offsets.commit(zombie, "tx", old, 1, 4)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
            assertThat(offsets.commit(successor, "tx", next, 2, 3)).isEqualTo(Errors.NONE);
            assertThat(offsets.commit(successor, "tx", next, 3, 4)).isEqualTo(Errors.NONE);
            offsets.end(successor);
            assertThat(offsets.fetch("tx")).isEqualTo(3);
        }
    }

    @Test
    void fence_holdsThroughAKillOfTheBrokerRightAfterIt() throws InterruptedException, IOException {
        // Given
        ClaimIdentity old = blue.take("killed");
        ClaimIdentity next = blue.fence("killed", old);

        // When
        brokers.kill(0);
        brokers.restart(0);

        // Then
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(blue.heartbeat("killed", next)).isInstanceOf(ClaimOutcome.HeartbeatOk.class));
        try (RawKafka broker = connection()) {
            Offsets offsets = new Offsets(broker);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () -> assertThat(offsets.commit("killed", next, 1)).isEqualTo(Errors.NONE));
            assertThat(offsets.commit("killed", old, 2)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
            assertThat(offsets.fetch("killed")).isEqualTo(1);
            assertThat(offsets.commit("killed", blue.fence("killed", next), 1)).isEqualTo(Errors.NONE);
            Offsets.Transaction zombie = offsets.begin("zombie-after-kill", "killed");
            assertThat(offsets.commit(zombie, "killed", old, 3, 4)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
            offsets.end(zombie);
        }
    }

    @Test
    void fence_doesNotWaitForAPendingForeignMember() throws InterruptedException {
        // Given
        ClaimIdentity old = blue.take("pending");
        try (RawKafka broker = connection()) {
            assertThat(join(broker, "pending", "muster-blue").error()).isEqualTo(Errors.MEMBER_ID_REQUIRED);

            // When
            long startedNanos = System.nanoTime();
            ClaimIdentity next = blue.fence("pending", old);

            // Then
            assertThat(Duration.ofNanos(System.nanoTime() - startedNanos)).isLessThan(Duration.ofSeconds(3));
            Offsets offsets = new Offsets(broker);
            assertThat(offsets.commit("pending", old, 1)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
            assertThat(offsets.commit("pending", next, 2)).isEqualTo(Errors.NONE);
        }
    }

    @Test
    void groupThatStoodOpen_isToldFromOneWhereOurMemberIsReplaced() throws InterruptedException {
        // Given
        ClaimIdentity first = blue.take("open");
        assertThat(blue.run("open", new ClaimOperation.Join(1_800_000)).outcome())
                .isInstanceOfSatisfying(
                        ClaimOutcome.Joined.class,
                        again -> assertThat(again.inPlace()).isTrue());
        ClaimIdentity second = blue.fence("open", first);

        // When
        assertThat(blue.leave("open", second)).isInstanceOf(ClaimOutcome.Left.class);

        // Then
        assertThat(blue.heartbeat("open", second))
                .isInstanceOfSatisfying(
                        ClaimOutcome.Lost.class, lost -> assertThat(lost.gone()).isTrue());
        assertThat(blue.run("open", new ClaimOperation.Fence(second, 1_800_000)).outcome())
                .isInstanceOfSatisfying(
                        ClaimOutcome.Fenced.class,
                        fenced -> assertThat(fenced.inPlace()).isFalse());
    }

    @Test
    void claim_ofAClusterOfTheSameName_isLeftAlone() throws InterruptedException {
        // Given two clusters with one name, of which each knows its own marks and those of before the other was cloned
        try (Claims first = green("before", "first");
                Claims clone = green("before", "clone");
                RawKafka broker = connection()) {
            ClaimIdentity identity = first.take("cloned");

            // Then neither a first join nor a fence of the clone takes the group away
            assertThat(clone.run("cloned", new ClaimOperation.Join(Claims.SESSION_MILLIS))
                            .outcome())
                    .isInstanceOf(ClaimOutcome.OwnedElsewhere.class);
            assertThat(clone.run(
                                    "cloned",
                                    new ClaimOperation.Fence(new ClaimIdentity("older", 1), Claims.SESSION_MILLIS))
                            .outcome())
                    .isInstanceOf(ClaimOutcome.OwnedElsewhere.class);
            assertThat(first.heartbeat("cloned", identity)).isInstanceOf(ClaimOutcome.HeartbeatOk.class);
            assertThat(new Offsets(broker).commit("cloned", identity, 1)).isEqualTo(Errors.NONE);
        }
    }

    @Test
    void claim_ofAClusterOfTheSameName_isTakenOverOnPurpose() throws InterruptedException {
        // Given
        try (Claims first = green("first");
                Claims clone =
                        new Claims(brokers.bootstrap(), "green", new ClaimMarks("clone", List.of("clone"), true))) {
            ClaimIdentity identity = first.take("taken-over");

            // When
            clone.take("taken-over");

            // Then it happens once: the first one does not take it back
            assertThat(first.heartbeat("taken-over", identity)).isInstanceOf(ClaimOutcome.Lost.class);
            assertThat(first.run("taken-over", new ClaimOperation.Join(Claims.SESSION_MILLIS))
                            .outcome())
                    .isInstanceOf(ClaimOutcome.OwnedElsewhere.class);
        }
    }

    @Test
    void claim_ofAnEarlierLeadership_isReplaced() throws InterruptedException {
        // Given
        try (Claims earlier = green("earlier");
                Claims now = green("earlier", "now")) {
            ClaimIdentity identity = earlier.take("succeeded");

            // When
            ClaimIdentity next = now.fence("succeeded", identity);

            // Then
            assertThat(now.heartbeat("succeeded", next)).isInstanceOf(ClaimOutcome.HeartbeatOk.class);
        }
    }

    /** A cluster named green that claims under the last of these marks. */
    private Claims green(String... marks) {
        return new Claims(brokers.bootstrap(), "green", new ClaimMarks(marks[marks.length - 1], List.of(marks), false));
    }

    @Test
    void leave_givesTheGroupBack() throws InterruptedException {
        // Given
        ClaimIdentity identity = blue.take("given-back");

        // When
        assertThat(blue.leave("given-back", identity)).isInstanceOf(ClaimOutcome.Left.class);

        // Then
        try (RawKafka broker = connection()) {
            assertThat(new Offsets(broker).commitWithoutMember("given-back", 5)).isEqualTo(Errors.NONE);
            assertThat(join(broker, "given-back", "range").error()).isEqualTo(Errors.MEMBER_ID_REQUIRED);
        }
    }

    private RawKafka connection() {
        return new RawKafka(brokers.port(0)).waitAtMost(Duration.ofSeconds(60));
    }

    private record Joined(Errors error, String memberId) {}

    private static Joined join(RawKafka broker, String groupId, String protocol) {
        return join(broker, groupId, protocol, "");
    }

    private static Joined join(RawKafka broker, String groupId, String protocol, String memberId) {
        JoinGroupRequestProtocolCollection protocols = new JoinGroupRequestProtocolCollection();
        protocols.add(new JoinGroupRequestProtocol().setName(protocol).setMetadata(new byte[] {0}));
        JoinGroupRequestData request = new JoinGroupRequestData()
                .setGroupId(groupId)
                .setMemberId(memberId)
                .setProtocolType("consumer")
                .setProtocols(protocols)
                .setSessionTimeoutMs(20_000)
                .setRebalanceTimeoutMs(60_000);
        JoinGroupResponseData response = broker.call(ApiKeys.JOIN_GROUP, 5, request, JoinGroupResponseData.class);
        return new Joined(Errors.forCode(response.errorCode()), response.memberId());
    }

    private static Errors consumerHeartbeat(RawKafka broker, String groupId) {
        ConsumerGroupHeartbeatRequestData request = new ConsumerGroupHeartbeatRequestData()
                .setGroupId(groupId)
                .setMemberId("direct")
                .setMemberEpoch(0)
                .setRebalanceTimeoutMs(60_000)
                .setSubscribedTopicNames(List.of(Offsets.TOPIC))
                .setTopicPartitions(List.of());
        return Errors.forCode(
                broker.call(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, request, ConsumerGroupHeartbeatResponseData.class)
                        .errorCode());
    }
}
