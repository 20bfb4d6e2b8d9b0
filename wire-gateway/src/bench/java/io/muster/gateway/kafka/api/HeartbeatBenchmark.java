package io.muster.gateway.kafka.api;

import io.muster.core.Command;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.CoordinatorConfig;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ApiDispatcher;
import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.UpstreamVersions;
import io.muster.gateway.kafka.VirtualBrokers;
import io.muster.gateway.kafka.order.Concern;
import io.muster.gateway.kafka.order.ConnectionThread;
import io.muster.gateway.kafka.order.RequestOrder;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a connection's thread spends on a keep-alive, from the bytes of the request to those of the answer, without sockets and without
 * the coordinator, which answers when the request has been handed to it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HeartbeatBenchmark {
    private static final int EPOCH = 5;

    @Param({"CONSUMER_GROUP_HEARTBEAT", "STREAMS_GROUP_HEARTBEAT"})
    ApiKeys api;

    private final Owner coordinator = new Owner();
    private final Session session = new Session(coordinator);
    private final RequestOrder order = new RequestOrder(session.connection(), Duration.ofSeconds(5), () -> {});
    private final ApiDispatcher dispatcher = new ApiDispatcher(ApiRegistry.all(new ApiRegistry.Parts(
            coordinator,
            new VirtualBrokers("gateway", 19_092, id -> CompletableFuture.completedFuture(null), troubles -> {}),
            new UpstreamVersions(),
            partitions -> CompletableFuture.completedFuture(List.of()),
            CoordinatorConfig.defaults("bench"),
            broker -> false)));
    private ByteBuffer frame = ByteBuffer.allocate(0);

    /** A connection that was allowed to read the group before. */
    @Setup
    public void allow() throws MalformedRequestException {
        short version = api.latestVersion();
        ByteBuffer whole = KafkaFrames.request(api, version, "client-1", 7, keepAlive());
        frame = whole.position(KafkaFrames.LENGTH_BYTES).slice();
        for (int i = 0; i < 2; i++) {
            if (heartbeat().remaining() <= KafkaFrames.LENGTH_BYTES) {
                throw new IllegalStateException("no answer");
            }
        }
        if (session.asked != 1 || coordinator.heartbeats != 2) {
            throw new IllegalStateException(session.asked + " questions, " + coordinator.heartbeats + " heartbeats");
        }
    }

    private ApiMessage keepAlive() {
        String memberId = "q7Yh2rYtQZqv0J3cJmXb9w";
        return api == ApiKeys.CONSUMER_GROUP_HEARTBEAT
                ? new ConsumerGroupHeartbeatRequestData()
                        .setGroupId("g")
                        .setMemberId(memberId)
                        .setMemberEpoch(EPOCH)
                : new StreamsGroupHeartbeatRequestData()
                        .setGroupId("g")
                        .setMemberId(memberId)
                        .setMemberEpoch(EPOCH);
    }

    @Benchmark
    public ByteBuffer heartbeat() throws MalformedRequestException {
        KafkaRequest request = KafkaRequest.parse(frame.duplicate(), session.connection().nanoTime() + 1_000_000_000L);
        Concern concern = dispatcher.concern(request);
        Handled handled = new Handled(request);
        order.enter(concern, request.deadlineNanos(), handled);
        coordinator.answer();
        return handled.answer.join();
    }

    private final class Handled implements RequestOrder.Request {
        private final KafkaRequest request;
        private final CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();

        Handled(KafkaRequest request) {
            this.request = request;
        }

        @Override
        public RequestOrder.Begun begin() {
            try {
                Route.Answer route = (Route.Answer) dispatcher.route(request, session);
                return new RequestOrder.Begun(
                        false,
                        route.message()
                                .whenComplete((body, failure) -> answer.complete(KafkaFrames.response(request, body, ByteBuffer::allocate).flip())));
            } catch (MalformedRequestException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public RequestOrder.Begun beginLate() {
            return begin();
        }
    }

    /** Decides a heartbeat when it is told to, as a shard's thread does. */
    private static final class Owner extends GroupOwner {
        private CompletableFuture<Response> asked = new CompletableFuture<>();
        private Response next = new Response.Done();
        private int heartbeats;

        @Override
        public CompletableFuture<Response> submit(Command command) {
            heartbeats++;
            asked = new CompletableFuture<>();
            next = command instanceof ConsumerHeartbeat heartbeat
                    ? new Response.ConsumerHeartbeatAnswer(
                            heartbeat.memberId(), EPOCH, 5_000, null, Collections.emptySortedSet())
                    : new Response.StreamsHeartbeatAnswer("m", EPOCH, new Response.MemberSettings(5_000, 60_000, 10_000), List.of(), null, new Response.EndpointInformation(0, null), new Response.FollowUps(false, List.of(), Partitions.none()));
            return asked;
        }

        void answer() {
            asked.complete(next);
        }
    }

    /** A connection whose broker allows everything. */
    private static final class Session extends OpenSession {
        private int asked;

        Session(Coordinator coordinator) {
            super(coordinator);
        }

        ConnectionThread connection() {
            return thread;
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys key, short version, ApiMessage request) {
            asked++;
            return CompletableFuture.completedFuture(
                    key == ApiKeys.METADATA
                            ? new MetadataResponseData()
                            : new HeartbeatResponseData().setErrorCode(Errors.UNKNOWN_MEMBER_ID.code()));
        }
    }
}
