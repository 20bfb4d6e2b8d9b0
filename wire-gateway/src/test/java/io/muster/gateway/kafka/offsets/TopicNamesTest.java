package io.muster.gateway.kafka.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class TopicNamesTest {
    private static final Uuid ID = Uuid.randomUuid();

    private final TopicNames names = new TopicNames();
    private final Connection one = new Connection();
    private final Connection other = new Connection();

    @Test
    void name_isAskedForOnce() {
        // Given
        CompletableFuture<Map<Uuid, String>> first = resolve(one, false);
        one.answer(Errors.NONE);

        // When
        CompletableFuture<Map<Uuid, String>> second = resolve(other, false);

        // Then
        assertThat(first).isCompletedWithValue(Map.of(ID, "t"));
        assertThat(second).isCompletedWithValue(Map.of(ID, "t"));
    }

    @Test
    void name_thatAnotherConnectionAsksForAnew_staysKnownMeanwhile() {
        // Given
        var unused = resolve(one, false);
        one.answer(Errors.NONE);
        other.whileAnswering(() -> assertThat(resolve(one, false)).isCompletedWithValue(Map.of(ID, "t")));

        // When
        CompletableFuture<Map<Uuid, String>> anew = resolve(other, true);
        other.answer(Errors.NONE);

        // Then
        assertThat(anew).isCompletedWithValue(Map.of(ID, "t"));
    }

    @Test
    void name_thatOneClientMayNotSee_isNotTakenFromOthers() {
        // Given
        var unused = resolve(one, false);
        one.answer(Errors.NONE);

        // When
        CompletableFuture<Map<Uuid, String>> hidden = resolve(other, true);
        other.answer(Errors.TOPIC_AUTHORIZATION_FAILED);

        // Then
        assertThat(hidden).isCompletedWithValue(Map.of());
        assertThat(resolve(one, false)).isCompletedWithValue(Map.of(ID, "t"));
    }

    @Test
    void name_thatAnotherClientLearnsMeanwhile_isNotShownToOneThatMayNotSeeIt() {
        // Given
        CompletableFuture<Map<Uuid, String>> hidden = resolve(one, false);
        var unused = resolve(other, false);
        other.answer(Errors.NONE);

        // When
        one.answer(Errors.TOPIC_AUTHORIZATION_FAILED);

        // Then
        assertThat(hidden).isCompletedWithValue(Map.of());
    }

    @Test
    void name_ofATopicThatIsGone_isForgotten() {
        // Given
        var unused = resolve(one, false);
        one.answer(Errors.NONE);

        // When
        CompletableFuture<Map<Uuid, String>> gone = resolve(other, true);
        other.answer(Errors.UNKNOWN_TOPIC_ID);

        // Then
        assertThat(gone).isCompletedWithValue(Map.of());
        assertThat(resolve(one, false)).isNotDone();
    }

    private CompletableFuture<Map<Uuid, String>> resolve(Connection connection, boolean anew) {
        return names.resolve(connection, List.of(ID), anew);
    }

    /** A client's connection whose broker answers when the test says so. */
    private static final class Connection implements ClientUpstream {
        private final Deque<CompletableFuture<ApiMessage>> asked = new ArrayDeque<>();
        private Runnable meanwhile = () -> {};

        /** Runs this when the answer is being read. */
        void whileAnswering(Runnable check) {
            meanwhile = check;
        }

        void answer(Errors error) {
            MetadataResponseTopic topic = new MetadataResponseTopic()
                    .setTopicId(ID)
                    .setErrorCode(error.code())
                    .setName(error == Errors.NONE ? "t" : null);
            MetadataResponseData answer = new MetadataResponseData() {
                @Override
                public MetadataResponseTopicCollection topics() {
                    meanwhile.run();
                    return super.topics();
                }
            };
            answer.setTopics(new MetadataResponseData.MetadataResponseTopicCollection(
                    List.of(topic).iterator()));
            asked.remove().complete(answer);
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request) {
            CompletableFuture<ApiMessage> answer = new CompletableFuture<>();
            asked.add(answer);
            return answer;
        }

        @Override
        public short maxVersion(ApiKeys api) {
            return api.latestVersion();
        }
    }
}
