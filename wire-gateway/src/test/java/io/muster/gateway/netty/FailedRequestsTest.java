package io.muster.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ApiDispatcher;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.UpstreamVersions;
import io.muster.gateway.kafka.VirtualBrokers;
import io.muster.gateway.kafka.offsets.TopicNames;
import io.muster.gateway.kafka.order.Concern;
import io.muster.gateway.kafka.permissions.PermissionRefresh;
import io.muster.gateway.upstream.BrokerPulse;
import io.muster.gateway.upstream.BrokerSilentException;
import io.muster.gateway.upstream.HostNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A request that cannot be handled, wherever that shows, ends its connection with one line in the log, and leaves nothing behind. */
class FailedRequestsTest {
    private static final Duration ALWAYS_LATE = Duration.ofNanos(-1);
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final ApiMessage ANSWER = new ProduceResponseData();
    /** No Produce response says it. */
    private static final ApiMessage UNFIT = new ConsumerGroupHeartbeatResponseData().setMemberId("x".repeat(100_000));

    private final List<ByteBuf> frames = new ArrayList<>();
    private final HostNames names = new HostNames();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(ConnectionEnd.class);
    private final ScriptedApi api = new ScriptedApi();
    private final EmbeddedChannel channel = new SocketStandIn();
    private final ClientConnection connection = new ClientConnection(channel, 0, services());

    @BeforeEach
    void start() {
        channel.freezeTime();
        channel.pipeline().addLast(connection);
        logger.setLevel(Level.ERROR);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
        logger.setLevel(null);
        names.close();
    }

    @Test
    void order_thatCannotBeTold() {
        api.concern = () -> {
            throw new IllegalStateException("concern");
        };
        send();
        assertEnded();
    }

    @Test
    void route_thatFails_inOrderOrNot() {
        api.route = () -> {
            throw new IllegalStateException("route");
        };
        send();
        assertEnded();
    }

    @Test
    void route_thatFails_whenItsTurnComes_andWhatFollows() {
        // Given
        api.concern = ScriptedApi::write;
        CompletableFuture<ApiMessage> first = new CompletableFuture<>();
        api.route = () -> Route.Answer.of(first);
        send();
        send();
        send();

        // When
        List<String> routed = new ArrayList<>();
        api.route = () -> {
            routed.add("");
            throw new IllegalStateException("route");
        };
        first.complete(ANSWER);

        // Then
        assertThat(routed).hasSize(1);
        receive();
        assertEnded();
    }

    @Test
    void refusal_ofALateRequest_thatFails() {
        // Given
        api.concern = ScriptedApi::write;
        CompletableFuture<ApiMessage> first = new CompletableFuture<>();
        api.route = () -> Route.Answer.of(first);
        send();
        send();

        // When
        api.late = () -> {
            throw new IllegalStateException("late");
        };
        channel.advanceTimeBy(1, TimeUnit.HOURS);
        channel.runScheduledPendingTasks();
        first.complete(ANSWER);

        // Then
        assertEnded();
    }

    @Test
    void answer_thatTheVersionCannotSay() {
        api.route = () -> Route.Answer.of(UNFIT);
        send();
        assertEnded();
    }

    @Test
    void answer_insteadOfALateOne_thatFails() {
        // Given
        CompletableFuture<ApiMessage> first = new CompletableFuture<>();
        api.route = () -> Route.Answer.of(first);
        send();
        api.route = () -> new Route.Answer(CompletableFuture.completedFuture(ANSWER), Optional.of(() -> UNFIT));
        send();

        // When
        first.complete(ANSWER);

        // Then
        receive();
        assertEnded();
    }

    @Test
    void answer_insteadOfTheBrokers_thatFails() {
        api.route = () -> Route.Pass.UNREAD.orWhenAway(() -> {
            throw new IllegalStateException("away");
        });
        send();
        assertEnded();
    }

    /** Kafka has no error response to a Produce without acks. */
    @Test
    void refusal_whenTheBrokerIsSilent_thatFails() {
        api.route = () -> Route.Answer.of(CompletableFuture.failedFuture(new BrokerSilentException("silent")));
        send();
        assertEnded();
    }

    private void send() {
        ByteBuf frame = Unpooled.wrappedBuffer(
                RawClient.frame(ApiKeys.PRODUCE, 9, 1, new ProduceRequestData().setAcks((short) 0)));
        frames.add(frame);
        channel.writeInbound(frame);
    }

    private void receive() {
        ByteBuf reply = channel.readOutbound();
        reply.release();
    }

    private void assertEnded() {
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isFalse();
        assertThat(log.list).hasSize(1);
        assertThat(frames).allMatch(frame -> frame.refCnt() == 0);
        assertThat(channel.<ByteBuf>readOutbound()).isNull();
        assertThat(connection.finished()).isDone();
    }

    private Services services() {
        VirtualBrokers brokers = new VirtualBrokers("gateway", 1, id -> new CompletableFuture<>(), troubles -> {});
        ReplyMemory replies = new ReplyMemory(1, System::nanoTime);
        BrokerPulse pulse = new BrokerPulse(
                () -> {
                    throw new AssertionError("no broker is asked");
                },
                brokers::upstreamOf,
                System::nanoTime);
        return new Services(
                new ApiDispatcher(List.of(api)),
                new UpstreamBrokers(
                        brokers,
                        new UpstreamVersions(),
                        pulse,
                        new UpstreamWiring(Transport.best(), names, replies),
                        true),
                new ClientFrames(ConnectionLimits.defaults(), new RequestMemory(1, System::nanoTime), replies),
                new ConnectionPatience(ALWAYS_LATE, PATIENCE, PATIENCE, PATIENCE, PATIENCE),
                new Services.Offsets(new NoGroups(), new TopicNames()),
                PermissionRefresh.every(Duration.ofMinutes(1)),
                new LongAdder());
    }

    /** A channel that has the address of a socket. */
    private static final class SocketStandIn extends EmbeddedChannel {
        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        }
    }

    /** Does with Produce requests what the test says. */
    private static final class ScriptedApi implements Api {
        private Step<Concern> concern = () -> Concern.NONE;
        private Step<Route> route = () -> Route.Pass.UNREAD;
        private Step<Optional<ApiMessage>> late = Optional::empty;

        private interface Step<T> {
            T take();
        }

        static Concern write() {
            return Concern.of(Concern.Kind.WRITE, "g", false);
        }

        @Override
        public ApiKeys key() {
            return ApiKeys.PRODUCE;
        }

        @Override
        public Concern concern(KafkaRequest request) throws MalformedRequestException {
            var unused = request.body(ProduceRequestData.class);
            return concern.take();
        }

        @Override
        public Route route(KafkaRequest request, ClientSession session) {
            return route.take();
        }

        @Override
        public Optional<ApiMessage> late(KafkaRequest request) {
            return late.take();
        }
    }
}
