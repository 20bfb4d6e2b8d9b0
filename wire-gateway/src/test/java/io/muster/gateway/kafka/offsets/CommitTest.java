package io.muster.gateway.kafka.offsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.muster.core.ClaimIdentity;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.TopicPartition;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class CommitTest {
    private static final Uuid NAMED = Uuid.randomUuid();
    private static final Uuid UNNAMED = Uuid.randomUuid();
    private static final ClaimIdentity CLAIM = new ClaimIdentity("claim", 7);

    private final UpstreamGroup upstream = new UpstreamGroup();

    @Test
    void topicWithoutAName_isNeverSentUnderTheClaim() {
        // Given
        upstream.claimedAs(CLAIM);

        // When
        CompletableFuture<OffsetCommitResponseData> answer = byId(10).sendAs(CLAIM, upstream);
        upstream.answerAll();

        // Then
        assertThat(upstream.stored).containsExactly(1L);
        assertThat(answer.join().topics()).extracting(topic -> topic.topicId()).containsExactly(NAMED);
        assertThat(byId(10).admission(new CommitCommand.Connection("connection", 0, List.of()), "c1")
                        .partitions())
                .containsExactly(new TopicPartition("t", 0));
    }

    @Test
    void topicWithoutAName_isAnsweredByAnUpstreamThatKnowsIds() {
        // Given
        upstream.claimedAs(CLAIM);
        upstream.refuses(1, Errors.TOPIC_AUTHORIZATION_FAILED);

        // Then
        assertThat(wholeAnswer(10))
                .containsExactly(tuple(NAMED, Errors.NONE), tuple(UNNAMED, Errors.TOPIC_AUTHORIZATION_FAILED));
        assertThat(upstream.stored).containsExactly(1L);
    }

    @Test
    void topicThatUpstreamKnowsOnlyNow_isUnknownStill() {
        // Given
        upstream.claimedAs(CLAIM);

        // Then
        assertThat(wholeAnswer(10)).containsExactly(tuple(NAMED, Errors.NONE), tuple(UNNAMED, Errors.UNKNOWN_TOPIC_ID));
        assertThat(upstream.stored).containsExactly(1L);
    }

    @Test
    void topicWithoutAName_isUnknownWhereUpstreamKnowsNames() {
        // Given
        upstream.claimedAs(CLAIM);

        // Then
        assertThat(wholeAnswer(9)).containsExactly(tuple(NAMED, Errors.NONE), tuple(UNNAMED, Errors.UNKNOWN_TOPIC_ID));
    }

    private List<Tuple> wholeAnswer(int upstreamVersion) {
        Commit commit = byId(upstreamVersion);
        CompletableFuture<OffsetCommitResponseData> whole = commit.sendAs(CLAIM, upstream)
                .thenApply(commit::answer)
                .thenCompose(answer -> commit.whole(answer, upstream));
        upstream.answerAll();
        return whole.join().topics().stream()
                .map(topic -> tuple(
                        topic.topicId(),
                        Errors.forCode(topic.partitions().get(0).errorCode())))
                .toList();
    }

    private static Commit byId(int upstreamVersion) {
        OffsetCommitRequestData request = new OffsetCommitRequestData()
                .setGroupId("g")
                .setMemberId("a")
                .setGenerationIdOrMemberEpoch(1)
                .setTopics(List.of(topic(NAMED, 0), topic(UNNAMED, 1)));
        return new Commit(new PlainMessages(request, (short) 10, (short) upstreamVersion), Map.of(NAMED, "t"));
    }

    private static OffsetCommitRequestTopic topic(Uuid id, int partition) {
        return new OffsetCommitRequestTopic()
                .setTopicId(id)
                .setPartitions(List.of(new OffsetCommitRequestPartition()
                        .setPartitionIndex(partition)
                        .setCommittedOffset(1)));
    }
}
