package io.muster.gateway.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.rpc.proto.Wire;
import io.muster.wire.ResponseCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where requests go when leaders change, streams break and time passes; the nodes are streams that only note what they are sent. */
class ShardRoutingTest {
    private static final int ROOM = 3;
    private static final long WAIT_NANOS = 100;
    private static final long ANSWER_NANOS = 1_000;

    private final ShardRouting routing = new ShardRouting();
    private final Node one = new Node("n1");
    private final Node two = new Node("n2");
    private final Map<Long, CompletableFuture<Wire.Reply>> answers = new TreeMap<>();

    @BeforeEach
    void open() {
        routing.opened(one.stream, welcome(1));
        routing.opened(two.stream, welcome(1));
    }

    @Test
    void requests_waitForALeader_andKeepTheirOrder() {
        // Given
        submit(1, 2, 3);
        assertThat(one.sent).isEmpty();

        // When
        routing.leadership(one.stream, leads(5));

        // Then
        assertThat(one.sent).containsExactly(1L, 2L, 3L);
        routing.replied(one.stream, done(2));
        assertThat(answers.get(2L)).isCompleted();
        assertThat(answers.get(1L)).isNotDone();
    }

    @Test
    void request_refusedByANodeThatDoesNotLead_goesToTheLeader() {
        // Given
        routing.leadership(one.stream, leads(5));
        submit(1);

        // When
        routing.replied(one.stream, notLeader(1, 6, "n2"));
        assertThat(two.sent).isEmpty();
        routing.leadership(two.stream, leads(6));

        // Then
        assertThat(two.sent).containsExactly(1L);
        assertThat(answers.get(1L)).isNotDone();
    }

    @Test
    void requests_beyondTheRoomOfAStream_areSentAsOthersAreAnswered() {
        // Given
        routing.leadership(one.stream, leads(5));
        submit(1, 2, 3, 4, 5);
        assertThat(one.sent).containsExactly(1L, 2L, 3L);

        // When
        routing.replied(one.stream, done(1));

        // Then
        assertThat(one.sent).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void stream_thatIsNotReady_isSentNothingBeforeItIs() {
        // Given
        routing.leadership(one.stream, leads(5));
        one.ready = false;
        submit(1);
        assertThat(one.sent).isEmpty();

        // When
        one.ready = true;
        routing.readyAgain(one.stream);

        // Then
        assertThat(one.sent).containsExactly(1L);
    }

    @Test
    void stream_thatBreaks_leavesWhatWasSentUnknown_andTheRestToTheSuccessor() {
        // Given
        routing.leadership(one.stream, leads(5));
        submit(1, 2, 3, 4);

        // When
        routing.closed(one.stream);
        routing.leadership(two.stream, leads(6));

        // Then
        assertThat(errorOf(1)).isEqualTo(GroupError.NOT_COORDINATOR);
        assertThat(errorOf(3)).isEqualTo(GroupError.NOT_COORDINATOR);
        assertThat(two.sent).containsExactly(4L);
    }

    @Test
    void successor_leavesWhatItsPredecessorWasSentUnknown_thoughThatSaysNothing() {
        // Given
        routing.leadership(one.stream, leads(5));
        submit(1, 2, 3, 4);

        // When
        routing.leadership(two.stream, leads(6));

        // Then
        assertThat(errorOf(1)).isEqualTo(GroupError.NOT_COORDINATOR);
        assertThat(two.sent).containsExactly(4L);
    }

    @Test
    void leader_ofAnEarlierTerm_isNotBelieved() {
        // Given
        routing.leadership(two.stream, leads(6));

        // When
        routing.leadership(one.stream, leads(5));
        submit(1);

        // Then
        assertThat(one.sent).isEmpty();
        assertThat(two.sent).containsExactly(1L);
    }

    @Test
    void leader_thatSteppedDown_isSentNothingMore() {
        // Given
        routing.leadership(one.stream, leads(5));

        // When
        routing.leadership(one.stream, follows(5, ""));
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
        routing.leadership(one.stream, leads(5));
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
        routing.leadership(one.stream, leads(5));
        submit(1);
        routing.expire(ANSWER_NANOS);

        // When
        routing.replied(one.stream, done(1));

        // Then
        assertThat(errorOf(1)).isEqualTo(GroupError.NOT_COORDINATOR);
    }

    @Test
    void shards_haveLeadersOfTheirOwn() {
        // Given
        routing.opened(one.stream, welcome(2));
        routing.leadership(one.stream, leads(5));
        routing.leadership(two.stream, leads(5).toBuilder().setShard(1).build());

        // When
        list(1, 1);
        list(2, 0);
        routing.leadership(one.stream, leads(6).toBuilder().setShard(1).build());

        // Then
        assertThat(two.sent).containsExactly(1L);
        assertThat(one.sent).containsExactly(2L);
        assertThat(errorOf(1)).isEqualTo(GroupError.NOT_COORDINATOR);
        assertThat(answers.get(2L)).isNotDone();
    }

    private void submit(long... numbers) {
        for (long number : numbers) {
            put(number, Wire.Request.newBuilder().setCorrelationId(number).build());
        }
    }

    private void list(long number, int shard) {
        put(
                number,
                Wire.Request.newBuilder()
                        .setCorrelationId(number)
                        .setListShard(shard)
                        .build());
    }

    private void put(long number, Wire.Request request) {
        CompletableFuture<Wire.Reply> answer = new CompletableFuture<>();
        answers.put(number, answer);
        routing.submit(new PendingRequest(number, "g", request, WAIT_NANOS, ANSWER_NANOS, answer));
    }

    private @Nullable GroupError errorOf(long number) {
        Response response = ResponseCodec.decode(answers.get(number).join().getResponse());
        return response instanceof Response.Refused refused ? refused.error() : null;
    }

    private static Wire.Welcome welcome(int shards) {
        return Wire.Welcome.newBuilder()
                .setMaxInFlight(ROOM)
                .setCluster(Wire.ClusterIdentity.newBuilder().setShards(shards))
                .build();
    }

    private static Wire.Leadership leads(long term) {
        return Wire.Leadership.newBuilder().setTerm(term).setHere(true).build();
    }

    private static Wire.Leadership follows(long term, String leader) {
        return Wire.Leadership.newBuilder().setTerm(term).setLeaderId(leader).build();
    }

    private static Wire.Reply done(long number) {
        return Wire.Reply.newBuilder()
                .setCorrelationId(number)
                .setResponse(ResponseCodec.encode(new Response.Done()))
                .build();
    }

    private static Wire.Reply notLeader(long number, long term, String leader) {
        return Wire.Reply.newBuilder()
                .setCorrelationId(number)
                .setNotLeader(follows(term, leader))
                .build();
    }

    /** A node at the other end of its stream. */
    private static final class Node extends ClientCallStreamObserver<Wire.GatewayFrame> {
        private final List<Long> sent = new ArrayList<>();
        private final NodeStream stream;
        private boolean ready = true;

        Node(String id) {
            stream = new NodeStream(id, new NodeStream.Events() {
                @Override
                public void frame(NodeStream from, Wire.NodeFrame frame) {}

                @Override
                public void ready(NodeStream from) {}

                @Override
                public void ended(NodeStream from, Status status) {}
            });
            stream.beforeStart(this);
        }

        @Override
        public void onNext(Wire.GatewayFrame frame) {
            sent.add(frame.getRequest().getCorrelationId());
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {}

        @Override
        public void setOnReadyHandler(Runnable handler) {}

        @Override
        public void request(int count) {}

        @Override
        public void setMessageCompression(boolean enable) {}

        @Override
        public void disableAutoInboundFlowControl() {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }
}
