package io.muster.gateway.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClaimOutcome;
import io.muster.core.GroupCommand;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.gateway.coordinator.PendingRequest.Question;
import io.muster.rpc.CoordinatorAnswer;
import io.muster.rpc.ShardLeadership;
import io.muster.runtime.TopicReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where requests go when leaders change, sessions end and time passes; the nodes only note what they are sent. */
class ShardRoutingTest {
    private static final int ROOM = 3;
    private static final long WAIT_NANOS = 100;
    private static final long ANSWER_NANOS = 1_000;
    private static final CoordinatorAnswer DONE = new CoordinatorAnswer.Decided(new Response.Done());

    private final ShardRouting routing = new ShardRouting();
    private final Node one = new Node("n1");
    private final Node two = new Node("n2");
    private final Map<Long, CompletableFuture<CoordinatorAnswer>> answers = new TreeMap<>();

    @BeforeEach
    void open() {
        routing.opened(one, 1, ROOM);
        routing.opened(two, 1, ROOM);
    }

    @Test
    void requests_waitForALeader_andKeepTheirOrder() {
        // Given
        submit(1, 2, 3);
        assertThat(one.sent).isEmpty();

        // When
        routing.leadership(one, leads(5));

        // Then
        assertThat(one.sent).containsExactly(1L, 2L, 3L);
        routing.answered(one, 2, DONE);
        assertThat(answers.get(2L)).isCompleted();
        assertThat(answers.get(1L)).isNotDone();
    }

    @Test
    void request_refusedByANodeThatDoesNotLead_goesToTheLeader() {
        // Given
        routing.leadership(one, leads(5));
        submit(1);

        // When
        routing.answered(one, 1, new CoordinatorAnswer.NotLeader(follows(6, "n2")));
        assertThat(two.sent).isEmpty();
        routing.leadership(two, leads(6));

        // Then
        assertThat(two.sent).containsExactly(1L);
        assertThat(answers.get(1L)).isNotDone();
    }

    @Test
    void requests_beyondTheRoomOfASession_areSentAsOthersAreAnswered() {
        // Given
        routing.leadership(one, leads(5));
        submit(1, 2, 3, 4, 5);
        assertThat(one.sent).containsExactly(1L, 2L, 3L);

        // When
        routing.answered(one, 1, DONE);

        // Then
        assertThat(one.sent).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void session_thatIsNotReady_isSentNothingBeforeItIs() {
        // Given
        routing.leadership(one, leads(5));
        one.ready = false;
        submit(1);
        assertThat(one.sent).isEmpty();

        // When
        one.ready = true;
        routing.readyAgain(one);

        // Then
        assertThat(one.sent).containsExactly(1L);
    }

    @Test
    void session_thatBreaks_leavesWhatWasSentUnknown_andTheRestToTheSuccessor() {
        // Given
        routing.leadership(one, leads(5));
        submit(1, 2, 3, 4);

        // When
        routing.closed(one);
        routing.leadership(two, leads(6));

        // Then
        assertThat(errorOf(1)).isEqualTo(GroupError.NOT_COORDINATOR);
        assertThat(errorOf(3)).isEqualTo(GroupError.NOT_COORDINATOR);
        assertThat(two.sent).containsExactly(4L);
    }

    @Test
    void successor_leavesWhatItsPredecessorWasSentUnknown_thoughThatSaysNothing() {
        // Given
        routing.leadership(one, leads(5));
        submit(1, 2, 3, 4);

        // When
        routing.leadership(two, leads(6));

        // Then
        assertThat(errorOf(1)).isEqualTo(GroupError.NOT_COORDINATOR);
        assertThat(two.sent).containsExactly(4L);
    }

    @Test
    void leader_ofAnEarlierTerm_isNotBelieved() {
        // Given
        routing.leadership(two, leads(6));

        // When
        routing.leadership(one, leads(5));
        submit(1);

        // Then
        assertThat(one.sent).isEmpty();
        assertThat(two.sent).containsExactly(1L);
    }

    @Test
    void leader_thatSteppedDown_isSentNothingMore() {
        // Given
        routing.leadership(one, leads(5));

        // When
        routing.leadership(one, follows(5, ""));
        submit(1);

        // Then
        assertThat(one.sent).isEmpty();
    }

    @Test
    void requests_thatWaitTooLong_areRefused_asWhatTheirOutcomeIs() {
        // Given
        submit(1);
        routing.expire(WAIT_NANOS - 1);
        assertThat(answers.get(1L)).isNotDone();
        routing.expire(WAIT_NANOS);
        assertThat(errorOf(1)).isEqualTo(GroupError.COORDINATOR_NOT_AVAILABLE);

        // When
        routing.leadership(one, leads(5));
        submit(2, 3, 4, 5);
        routing.expire(ANSWER_NANOS);

        // Then
        assertThat(errorOf(2)).isEqualTo(GroupError.NOT_COORDINATOR);
        assertThat(errorOf(4)).isEqualTo(GroupError.NOT_COORDINATOR);
        assertThat(errorOf(5)).isEqualTo(GroupError.COORDINATOR_NOT_AVAILABLE);
    }

    @Test
    void reply_thatComesTooLate_isDropped() {
        // Given
        routing.leadership(one, leads(5));
        submit(1);
        routing.expire(ANSWER_NANOS);

        // When
        routing.answered(one, 1, DONE);

        // Then
        assertThat(errorOf(1)).isEqualTo(GroupError.NOT_COORDINATOR);
    }

    @Test
    void shards_haveLeadersOfTheirOwn() {
        // Given
        routing.opened(one, 2, ROOM);
        routing.leadership(one, leads(5));
        routing.leadership(two, new ShardLeadership(1, 5, "", true));

        // When
        list(1, 1);
        list(2, 0);
        routing.leadership(one, new ShardLeadership(1, 6, "", true));

        // Then
        assertThat(two.sent).containsExactly(1L);
        assertThat(one.sent).containsExactly(2L);
        assertThat(errorOf(1)).isEqualTo(GroupError.NOT_COORDINATOR);
        assertThat(answers.get(2L)).isNotDone();
    }

    @Test
    void request_thatIsAnsweredWhileItIsSent_leavesRoomForTheNext() {
        // Given
        submit(1, 2, 3, 4, 5);
        one.answersAtOnce = true;

        // When
        routing.leadership(one, leads(5));

        // Then
        assertThat(one.sent).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(answers.values()).allMatch(CompletableFuture::isDone);
        submit(6);
        assertThat(answers.get(6L)).isCompleted();
    }

    @Test
    void requests_thatAreRedirectedWhileOthersAreSubmitted_keepTheirOrder() {
        // Given
        routing.leadership(one, leads(5));
        submit(1, 2);

        // When the leader has stepped down and says so twice, with a request of the same connection in between
        routing.answered(one, 1, new CoordinatorAnswer.NotLeader(follows(5, "")));
        submit(3);
        routing.answered(one, 2, new CoordinatorAnswer.NotLeader(follows(5, "")));
        routing.leadership(two, leads(6));

        // Then
        assertThat(two.sent).containsExactly(1L, 2L, 3L);
    }

    @Test
    void requests_ofManyThreads_areAllAnswered_whileLeadersChange() throws InterruptedException {
        // Given
        int threads = 4;
        int each = 2_000;
        one.answersAtOnce = true;
        two.answersAtOnce = true;
        ExecutorService clients = Executors.newFixedThreadPool(threads);
        CountDownLatch done = new CountDownLatch(threads * each);

        // When
        for (int thread = 0; thread < threads; thread++) {
            long first = 1L + (long) thread * each;
            clients.execute(() -> LongStream.range(first, first + each)
                    .forEach(number -> routing.submit(new PendingRequest(
                            number,
                            new Question.Decide(new GroupCommand.Delete("g")),
                            Long.MAX_VALUE / 2,
                            Long.MAX_VALUE / 2,
                            answer -> done.countDown()))));
        }
        for (int term = 1; term < 200; term++) {
            routing.leadership(term % 2 == 0 ? one : two, leads(term));
        }

        // Then
        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        clients.shutdown();
    }

    private void submit(long... numbers) {
        for (long number : numbers) {
            put(number, new Question.Decide(new GroupCommand.Delete("g")));
        }
    }

    private void list(long number, int shard) {
        put(number, new Question.ListGroups(shard));
    }

    private void put(long number, Question question) {
        CompletableFuture<CoordinatorAnswer> answer = new CompletableFuture<>();
        answers.put(number, answer);
        routing.submit(new PendingRequest(number, question, WAIT_NANOS, ANSWER_NANOS, answer::complete));
    }

    private @Nullable GroupError errorOf(long number) {
        Response response = ((CoordinatorAnswer.Decided) answers.get(number).join()).response();
        return response instanceof Response.Refused refused ? refused.error() : null;
    }

    private static ShardLeadership leads(long term) {
        return new ShardLeadership(0, term, "", true);
    }

    private static ShardLeadership follows(long term, String leader) {
        return new ShardLeadership(0, term, leader, false);
    }

    /** A node at the other end of its session. */
    private final class Node implements NodeSession {
        private final String id;
        private final List<Long> sent = new ArrayList<>();
        private volatile boolean ready = true;
        private volatile boolean answersAtOnce;

        Node(String id) {
            this.id = id;
        }

        @Override
        public String nodeId() {
            return id;
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public boolean hasEnded() {
            return false;
        }

        @Override
        public void send(PendingRequest request) {
            synchronized (sent) {
                sent.add(request.number());
            }
            if (answersAtOnce) {
                routing.answered(this, request.number(), DONE);
            }
        }

        @Override
        public void claimReported(long operationId, ClaimOutcome outcome) {}

        @Override
        public void topicsReported(TopicLease lease, TopicReport report) {}

        @Override
        public void topicsTouched(Set<String> names, Set<String> deleted) {}

        @Override
        public void troubles(List<String> lines) {}
    }
}
