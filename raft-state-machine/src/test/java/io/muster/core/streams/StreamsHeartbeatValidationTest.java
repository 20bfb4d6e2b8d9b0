package io.muster.core.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Arrival;
import io.muster.core.ClientInfo;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.CoordinatorConfig;
import io.muster.core.DecisionContext;
import io.muster.core.Group;
import io.muster.core.GroupEngine;
import io.muster.core.GroupError;
import io.muster.core.LeaderMemory;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.Partitions;
import io.muster.core.Response.Refused;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.StreamsHeartbeat.OwnedTasks;
import io.muster.core.TopicCatalogue;
import io.muster.core.Topology;
import io.muster.core.Topology.Subtopology;
import io.muster.core.claim.ClaimLogic;
import io.muster.core.consumer.ConsumerGroupLogic;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StreamsHeartbeatValidationTest {
    private static final Partitions<String> NONE = Partitions.none();
    private static final OwnedTasks NO_TASKS = new OwnedTasks(NONE, NONE, NONE);
    private static final Topology TOPOLOGY = TopologyNotation.topology(0, TopologyNotation.subtopology("0", "foo"));
    private static final Topology PATTERN = new Topology(
            0, List.of(new Subtopology("0", List.of(), List.of("a.*"), List.of(), List.of(), List.of(), List.of())));

    @Test
    void refusal_ofSoundJoin_isEmpty() {
        assertThat(StreamsHeartbeatValidation.refusal(join("m", 60_000, NO_TASKS, TOPOLOGY)))
                .isEmpty();
    }

    @Test
    void refusal_ofPattern_comesBeforeAllElse() {
        assertThat(message(join("", -1, OwnedTasks.UNCHANGED, PATTERN)))
                .isEqualTo("Regular expressions for source topics are not supported yet.");
    }

    @Test
    void refusal_ofJoin_followsKafkasOrder() {
        OwnedTasks some = new OwnedTasks(Partitions.of("0", 0), NONE, NONE);

        assertThat(message(join("", -1, some, null))).isEqualTo("MemberId can't be empty.");
        assertThat(message(join("m", -1, some, null)))
                .isEqualTo("RebalanceTimeoutMs must be provided in first request.");
        assertThat(message(join("m", 1, some, null))).isEqualTo("ActiveTasks must be empty when (re-)joining.");
        assertThat(message(join("m", 1, OwnedTasks.UNCHANGED, null)))
                .isEqualTo("ActiveTasks must be empty when (re-)joining.");
        assertThat(message(join("m", 1, NO_TASKS, null))).isEqualTo("Topology must be non-null when (re-)joining.");
    }

    @Test
    void refusal_ofChangelogWithCount_isAnInvalidTopology() {
        // Given
        Topology counted = TopologyNotation.topology(0, TopologyNotation.subtopology("0", "foo", "+log=3"));

        // When
        Refused refused = StreamsHeartbeatValidation.refusal(join("m", 1, NO_TASKS, counted))
                .orElseThrow();

        // Then
        assertThat(refused)
                .isEqualTo(new Refused(
                        GroupError.STREAMS_INVALID_TOPOLOGY,
                        "Changelog topic log must have an undefined partition count, but it is set to 3."));
    }

    @Test
    void refusal_ofAmbiguousTopologies_saysWhatIsTwiceOrBeyond() {
        assertThat(refusal(TopologyNotation.topology(-1, TopologyNotation.subtopology("0", "foo"))))
                .contains(GroupError.INVALID_REQUEST);
        assertThat(refusal(TopologyNotation.topology(
                        0, TopologyNotation.subtopology("0", "foo"), TopologyNotation.subtopology("0", "bar"))))
                .contains(GroupError.STREAMS_INVALID_TOPOLOGY);
        assertThat(refusal(TopologyNotation.topology(0, TopologyNotation.subtopology("0", "foo", "+log", "+log"))))
                .contains(GroupError.STREAMS_INVALID_TOPOLOGY);
        assertThat(refusal(TopologyNotation.topology(0, TopologyNotation.subtopology("0", "__consumer_offsets"))))
                .contains(GroupError.STREAMS_INVALID_TOPOLOGY);
    }

    @Test
    void refusal_ofLaterHeartbeat_knowsEpochsAndHalfTasks() {
        assertThat(message(beat(-3, null, OwnedTasks.UNCHANGED, null)))
                .isEqualTo("MemberEpoch is -3, but must be greater than or equal to -2.");
        assertThat(message(beat(-2, null, OwnedTasks.UNCHANGED, null))).isEqualTo("InstanceId can't be null.");
        assertThat(message(beat(1, " ", OwnedTasks.UNCHANGED, null))).isEqualTo("InstanceId can't be empty.");
        assertThat(message(beat(1, null, new OwnedTasks(NONE, null, null), null)))
                .isEqualTo("If one task-type is non-null, all must be non-null.");
        assertThat(message(beat(1, null, OwnedTasks.UNCHANGED, TOPOLOGY)))
                .isEqualTo("Topology can only be provided when (re-)joining.");
    }

    @Test
    void heartbeat_toConsumerGroup_findsNoStreamsGroup() {
        // Given
        ClaimLogic claims = new ClaimLogic();
        GroupEngine engine = new GroupEngine(new ConsumerGroupLogic(claims), new StreamsGroupLogic(claims), claims);
        Group consumers = engine.evolve(Group.absent("g"), new ConsumerGroupRecord.GroupSet(1, 1, 0));
        DecisionContext context =
                new DecisionContext(1, TopicCatalogue.EMPTY, CoordinatorConfig.defaults("blue"), LeaderMemory.UNKNOWN);

        // When
        var decision = engine.decide(
                consumers, List.of(new Arrival(join("m", 1, NO_TASKS, TOPOLOGY), 1, "fresh", true)), context);

        // Then
        assertThat(decision.replies().get(0).response())
                .isEqualTo(new Refused(GroupError.GROUP_ID_NOT_FOUND, "Group g is not a streams group."));
        assertThat(decision.records()).isEmpty();
        assertThat(decision.effects()).isEmpty();
    }

    private static Optional<GroupError> refusal(Topology topology) {
        return StreamsHeartbeatValidation.refusal(join("m", 1, NO_TASKS, topology))
                .map(Refused::error);
    }

    private static String message(StreamsHeartbeat heartbeat) {
        return StreamsHeartbeatValidation.refusal(heartbeat).orElseThrow().message();
    }

    private static StreamsHeartbeat join(
            String memberId, int rebalanceTimeoutMillis, OwnedTasks tasks, @Nullable Topology topology) {
        return heartbeat(memberId, 0, null, rebalanceTimeoutMillis, tasks, topology);
    }

    private static StreamsHeartbeat beat(
            int epoch, @Nullable String instanceId, OwnedTasks tasks, @Nullable Topology topology) {
        return heartbeat("m", epoch, instanceId, -1, tasks, topology);
    }

    private static StreamsHeartbeat heartbeat(
            String memberId,
            int epoch,
            @Nullable String instanceId,
            int rebalanceTimeoutMillis,
            OwnedTasks tasks,
            @Nullable Topology topology) {
        return new StreamsHeartbeat(
                new Sender(
                        "g", memberId, epoch, instanceId, null, rebalanceTimeoutMillis, new ClientInfo("c", "/h"), 1),
                0,
                topology,
                tasks,
                new StreamsHeartbeat.ProcessDetails("p", null, new TreeMap<>()),
                new StreamsHeartbeat.OffsetReport(null, null),
                false);
    }
}
