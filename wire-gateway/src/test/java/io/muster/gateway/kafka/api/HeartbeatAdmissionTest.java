package io.muster.gateway.kafka.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClientInfo;
import io.muster.core.Command;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.permissions.RememberedMembers;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopicCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HeartbeatAdmissionTest {
    private final Heard coordinator = new Heard();
    private final ConsumerGroupHeartbeatApi api =
            new ConsumerGroupHeartbeatApi(coordinator, new RememberedMembers(10, Long.MAX_VALUE, () -> 0L));
    private final Session session = new Session(coordinator);

    static List<Supplier<IOException>> unknown() {
        return List.of(
                () -> new ConnectException("nobody is there"),
                () -> new IOException("upstream closed the connection"),
                () -> new IOException(new TimeoutException("behind a long poll")));
    }

    @ParameterizedTest
    @MethodSource("unknown")
    void heartbeat_ofAConnectionThatWasNeverAllowed_isRefusedAndReachesNobody(Supplier<IOException> failure)
            throws MalformedRequestException {
        // Given
        session.failure = failure;

        // Then
        assertThat(send(session, join())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(send(session, keepAlive())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(send(session, full())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(send(session, leave())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(coordinator.heard).isEmpty();
    }

    @Test
    void heartbeat_behindALongPoll_isRefusedInTimeAndReachesNobody() throws MalformedRequestException {
        // Given
        session.answers = false;

        // Then
        assertThat(send(session, leave())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(coordinator.heard).isEmpty();
    }

    @Test
    void keepAlive_ofAConnectionThatWasAllowed_passesUnasked() throws MalformedRequestException {
        // Given
        assertThat(send(session, join())).isEqualTo(Errors.NONE);
        session.failure = () -> new ConnectException("nobody is there");

        // Then
        assertThat(send(session, keepAlive())).isEqualTo(Errors.NONE);
        assertThat(coordinator.heard).last().matches(ConsumerHeartbeat::isKeepAlive);
    }

    @Test
    void anythingElse_ofAConnectionThatWasAllowed_isRefusedAndKeepsTheMemberAlive() throws MalformedRequestException {
        // Given
        assertThat(send(session, join())).isEqualTo(Errors.NONE);
        session.failure = () -> new ConnectException("nobody is there");
        coordinator.heard.clear();

        // When
        assertThat(send(session, leave())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(send(session, join())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(coordinator.heard).isEmpty();
        assertThat(send(session, full())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);

        // Then
        assertThat(coordinator.heard).singleElement().matches(ConsumerHeartbeat::isKeepAlive);
    }

    @Test
    void member_onANewConnectionOfTheSameClient_isKeptAlive() throws MalformedRequestException {
        // Given
        assertThat(send(session, join())).isEqualTo(Errors.NONE);
        coordinator.heard.clear();
        Session later = new Session(coordinator);
        later.failure = () -> new ConnectException("nobody is there");

        // When
        assertThat(send(later, full())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(send(later, leave())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);

        // Then
        assertThat(coordinator.heard).singleElement().matches(ConsumerHeartbeat::isKeepAlive);
    }

    @Test
    void member_onANewConnectionOfAnotherClient_isNot() throws MalformedRequestException {
        // Given
        assertThat(send(session, join())).isEqualTo(Errors.NONE);
        coordinator.heard.clear();
        Session others = new Session(coordinator);
        others.failure = () -> new ConnectException("nobody is there");
        others.client = new ClientInfo("client", "/127.0.0.2");

        // Then
        assertThat(send(others, full())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(coordinator.heard).isEmpty();
    }

    @Test
    void member_onANewConnectionThatCannotSayWhoItIs_isNot() throws MalformedRequestException {
        // Given
        session.anonymous = false;
        assertThat(send(session, join())).isEqualTo(Errors.NONE);
        coordinator.heard.clear();
        Session later = new Session(coordinator);
        later.anonymous = false;
        later.failure = () -> new ConnectException("nobody is there");

        // Then
        assertThat(send(later, keepAlive())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(coordinator.heard).isEmpty();
    }

    @Test
    void keepAlives_ofAnInterval_askTheBrokerOnce() throws MalformedRequestException {
        // Given
        assertThat(send(session, join())).isEqualTo(Errors.NONE);

        for (int interval = 0; interval < 3; interval++) {
            // When
            session.asked.clear();
            for (int second = 0; second < 60; second++) {
                session.advance(Duration.ofSeconds(1));
                assertThat(send(session, keepAlive())).isEqualTo(Errors.NONE);
            }

            // Then
            assertThat(session.asked).containsExactly(ApiKeys.HEARTBEAT);
        }
    }

    @Test
    void keepAlives_afterTheRightWasTakenAway_areRefusedWithinTheInterval() throws MalformedRequestException {
        // Given
        assertThat(send(session, join())).isEqualTo(Errors.NONE);
        session.read = Errors.GROUP_AUTHORIZATION_FAILED;

        // When
        session.advance(Duration.ofMinutes(1));
        assertThat(send(session, keepAlive())).isEqualTo(Errors.NONE);
        coordinator.heard.clear();

        // Then
        assertThat(send(session, keepAlive())).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED);
        assertThat(coordinator.heard).isEmpty();
        session.read = Errors.UNKNOWN_MEMBER_ID;
        assertThat(send(session, keepAlive())).isEqualTo(Errors.NONE);
    }

    @Test
    void joins_ofOneConnection_askAboutATopicOnce() throws MalformedRequestException {
        // When
        assertThat(send(session, join())).isEqualTo(Errors.NONE);
        assertThat(send(session, join())).isEqualTo(Errors.NONE);

        // Then
        assertThat(session.asked).containsExactly(ApiKeys.HEARTBEAT, ApiKeys.METADATA, ApiKeys.HEARTBEAT);
    }

    @Test
    void keepAlive_afterTheClientSaidAnewWhoItIs_isAskedAbout() throws MalformedRequestException {
        // Given
        assertThat(send(session, join())).isEqualTo(Errors.NONE);
        session.permissions().forget();
        session.read = Errors.GROUP_AUTHORIZATION_FAILED;
        coordinator.heard.clear();

        // Then
        assertThat(send(session, keepAlive())).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED);
        assertThat(coordinator.heard).isEmpty();
    }

    private Errors send(Session on, ConsumerGroupHeartbeatRequestData request) throws MalformedRequestException {
        ByteBuffer frame = KafkaFrames.request(ApiKeys.CONSUMER_GROUP_HEARTBEAT, (short) 1, "client", 1, request);
        frame.position(frame.position() + KafkaFrames.LENGTH_BYTES);
        Route route = api.route(KafkaRequest.parse(frame), on);
        ApiMessage answer = ((Route.Answer) route).message().join();
        return Errors.forCode(((ConsumerGroupHeartbeatResponseData) answer).errorCode());
    }

    private static ConsumerGroupHeartbeatRequestData keepAlive() {
        return new ConsumerGroupHeartbeatRequestData()
                .setGroupId("g")
                .setMemberId("m")
                .setMemberEpoch(3);
    }

    private static ConsumerGroupHeartbeatRequestData full() {
        return keepAlive()
                .setRebalanceTimeoutMs(1_000)
                .setSubscribedTopicNames(List.of("t"))
                .setTopicPartitions(List.of());
    }

    private static ConsumerGroupHeartbeatRequestData join() {
        return full().setMemberEpoch(0);
    }

    private static ConsumerGroupHeartbeatRequestData leave() {
        return keepAlive().setMemberEpoch(-1);
    }

    /** Answers every heartbeat as that of a member with epoch 3. */
    private static final class Heard extends GroupOwner {
        private final List<ConsumerHeartbeat> heard = new ArrayList<>();

        @Override
        public CompletableFuture<Response> submit(Command command) {
            ConsumerHeartbeat heartbeat = (ConsumerHeartbeat) command;
            heard.add(heartbeat);
            int epoch = heartbeat.leaves() ? heartbeat.memberEpoch() : 3;
            return CompletableFuture.completedFuture(new Response.ConsumerHeartbeatAnswer(
                    heartbeat.memberId(), epoch, 5_000, null, Collections.emptySortedSet()));
        }
    }

    /** A connection to a broker that says what the client may do, or does not say it. */
    private static final class Session extends OpenSession {
        private Errors read = Errors.UNKNOWN_MEMBER_ID;
        private Supplier<IOException> failure;
        private boolean answers = true;
        private boolean anonymous = true;
        private ClientInfo client = new ClientInfo("client", "/127.0.0.1");
        private final List<ApiKeys> asked = new ArrayList<>();

        Session(Coordinator coordinator) {
            super(coordinator);
        }

        void advance(Duration time) {
            thread.advance(time);
        }

        @Override
        public boolean isAnonymous() {
            return anonymous;
        }

        @Override
        public ClientInfo client(KafkaRequest request) {
            return client;
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys key, short version, ApiMessage request) {
            asked.add(key);
            if (failure != null) {
                return CompletableFuture.failedFuture(failure.get());
            }
            if (!answers) {
                return new CompletableFuture<>();
            }
            return CompletableFuture.completedFuture(
                    key == ApiKeys.METADATA
                            ? new MetadataResponseData().setTopics(shown((MetadataRequestData) request))
                            : new HeartbeatResponseData().setErrorCode(read.code()));
        }

        private static MetadataResponseTopicCollection shown(MetadataRequestData request) {
            return new MetadataResponseTopicCollection(request.topics().stream()
                    .map(topic -> new MetadataResponseTopic().setName(topic.name()))
                    .iterator());
        }
    }
}
