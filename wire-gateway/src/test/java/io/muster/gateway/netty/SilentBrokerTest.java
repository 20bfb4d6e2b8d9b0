package io.muster.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClaimIdentity;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.Response;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A broker that takes connections and requests and answers nothing, as one does that was stopped (SIGSTOP). */
class SilentBrokerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Members groups = new Members();
    private StandInBroker broker;
    private OpenGateway gateway;

    @BeforeEach
    void start() throws Exception {
        broker = new StandInBroker();
        broker.answers(ApiKeys.HEARTBEAT, request -> Optional.of(new HeartbeatResponseData()));
        broker.answers(ApiKeys.OFFSET_COMMIT, request -> Optional.of(new OffsetCommitResponseData()));
        broker.answers(ApiKeys.LIST_TRANSACTIONS, request -> Optional.of(new ListTransactionsResponseData()));
        gateway = OpenGateway.before(broker, groups, config -> config.withSilencePatience(PATIENCE));
    }

    @AfterEach
    void stop() throws Exception {
        broker.speak();
        gateway.close();
        broker.close();
    }

    @Test
    void heartbeatBehindACommit_isAnswered_andTheMemberGoesOnUntilTheBrokerSpeaks() throws Exception {
        try (RawClient client = new RawClient(gateway.port(0))) {
            // Given
            assertThat(heartbeat(client, join())).isEqualTo(Errors.NONE);
            assertThat(commit(client)).isEqualTo(Errors.NONE);
            broker.silence();

            // When
            client.send(ApiKeys.OFFSET_COMMIT, 9, 1, offsets());
            client.send(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, 2, keepAlive());

            // Then
            assertThat(errorOf((OffsetCommitResponseData) client.receive(ApiKeys.OFFSET_COMMIT, 9)))
                    .isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
            assertThat(receiveHeartbeat(client)).isEqualTo(Errors.NONE);
            assertThat(heartbeat(client, keepAlive())).isEqualTo(Errors.NONE);
            int admitted = groups.admitted.size();
            assertThat(commit(client)).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
            assertThat(groups.admitted).hasSize(admitted);
            assertThat(coordinatorPort(client)).isEqualTo(gateway.port(0));

            // When
            broker.speak();

            // Then
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void newConnection_isToldWhatItNeeds_andItsMemberIsKeptAlive() throws Exception {
        // Given
        try (RawClient before = new RawClient(gateway.port(0))) {
            assertThat(heartbeat(before, join())).isEqualTo(Errors.NONE);
        }
        broker.silence();
        groups.heard.clear();
        try (RawClient client = new RawClient(gateway.port(0))) {
            // When
            client.send(ApiKeys.API_VERSIONS, 3, 1, versions());
            client.send(ApiKeys.METADATA, 12, 2, new MetadataRequestData().setTopics(List.of()));
            client.send(ApiKeys.FETCH, 13, 3, new FetchRequestData());
            client.send(ApiKeys.LIST_OFFSETS, 7, 4, offsetsOfLeaders());

            // Then
            ApiVersionsResponseData versions = (ApiVersionsResponseData) client.receive(ApiKeys.API_VERSIONS, 3);
            assertThat(versions.apiKeys()).isNotEmpty();
            MetadataResponseData metadata = (MetadataResponseData) client.receive(ApiKeys.METADATA, 12);
            assertThat(metadata.brokers()).isEmpty();
            assertThat(((FetchResponseData) client.receive(ApiKeys.FETCH, 13)).errorCode())
                    .isEqualTo(Errors.FETCH_SESSION_TOPIC_ID_ERROR.code());
            ListOffsetsResponseData offsets = (ListOffsetsResponseData) client.receive(ApiKeys.LIST_OFFSETS, 7);
            assertThat(offsets.topics().get(0).partitions().get(0).errorCode())
                    .isEqualTo(Errors.LEADER_NOT_AVAILABLE.code());
            assertThat(coordinatorPort(client)).isEqualTo(gateway.port(0));
            assertThat(heartbeat(client, join().setMemberEpoch(1))).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
            assertThat(groups.heard).singleElement().matches(ConsumerHeartbeat::isKeepAlive);
        }
    }

    @Test
    void coordinatorThatIsSilent_isFoundAtABrokerThatIsAlive() throws Exception {
        // Given
        try (StandInBroker second = new StandInBroker()) {
            broker.names(1, second.port());
            broker.answers(
                    ApiKeys.FIND_COORDINATOR,
                    request -> Optional.of(new FindCoordinatorResponseData()
                            .setErrorMessage("")
                            .setNodeId(1)
                            .setHost("127.0.0.1")
                            .setPort(second.port())));
            try (RawClient client = new RawClient(gateway.port(0))) {
                client.send(ApiKeys.METADATA, 12, 1, new MetadataRequestData().setTopics(List.of()));
                client.receive(ApiKeys.METADATA, 12);
                Awaitility.await().until(() -> coordinatorPort(client) == gateway.port(1));

                // When
                second.silence();
                try (RawClient waiting = new RawClient(gateway.port(1))) {
                    waiting.send(ApiKeys.LIST_TRANSACTIONS, 0, 1, new ListTransactionsRequestData());

                    // Then
                    Awaitility.await().until(() -> coordinatorPort(client) == gateway.port(0));
                }
                try (RawClient there = new RawClient(gateway.port(1))) {
                    assertThat(coordinatorPort(there)).isEqualTo(gateway.port(0));
                }
                second.speak();
            }
        }
    }

    @Test
    void metadata_endsItsConnection_ifAnotherBrokerCanBeAsked() throws Exception {
        // Given
        try (StandInBroker second = new StandInBroker();
                RawClient client = new RawClient(gateway.port(0))) {
            broker.names(1, second.port());
            client.send(ApiKeys.METADATA, 12, 1, new MetadataRequestData().setTopics(List.of()));
            client.receive(ApiKeys.METADATA, 12);
            broker.silence();

            // When
            client.send(ApiKeys.METADATA, 12, 2, new MetadataRequestData().setTopics(List.of()));

            // Then
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void metadataOfAllTopics_isNotAnsweredWithNone() throws Exception {
        // Given
        broker.silence();
        try (RawClient client = new RawClient(gateway.port(0))) {
            // When
            client.send(ApiKeys.METADATA, 12, 1, new MetadataRequestData().setTopics(null));

            // Then
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void metadataOfATopic_saysThatNobodyLeadsItNow() throws Exception {
        // Given
        broker.silence();
        try (RawClient client = new RawClient(gateway.port(0))) {
            // When
            client.send(
                    ApiKeys.METADATA,
                    12,
                    1,
                    new MetadataRequestData()
                            .setTopics(List.of(new MetadataRequestData.MetadataRequestTopic().setName("t"))));

            // Then
            MetadataResponseData metadata = (MetadataResponseData) client.receive(ApiKeys.METADATA, 12);
            assertThat(metadata.topics()).singleElement().satisfies(topic -> {
                assertThat(topic.name()).isEqualTo("t");
                assertThat(topic.errorCode()).isEqualTo(Errors.LEADER_NOT_AVAILABLE.code());
            });
            assertThat(metadata.brokers()).isEmpty();
        }
    }

    @Test
    void passedRequest_endsItsConnection() throws Exception {
        // Given
        broker.silence();
        try (RawClient client = new RawClient(gateway.port(0))) {
            // When
            client.send(ApiKeys.LIST_TRANSACTIONS, 0, 1, new ListTransactionsRequestData());

            // Then
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void requestThatTheBrokerLetsWait_waits_whileTheBrokerAnswersOthers() throws Exception {
        // Given
        CountDownLatch longPoll = new CountDownLatch(1);
        broker.answers(ApiKeys.LIST_TRANSACTIONS, request -> {
            Awaitility.await().until(() -> longPoll.getCount() == 0);
            return Optional.of(new ListTransactionsResponseData());
        });
        try (RawClient client = new RawClient(gateway.port(0));
                RawClient other = new RawClient(gateway.port(0))) {
            // When
            client.send(ApiKeys.LIST_TRANSACTIONS, 0, 1, new ListTransactionsRequestData());
            broker.awaitPulses(4);
            longPoll.countDown();

            // Then
            assertThat(client.receive(ApiKeys.LIST_TRANSACTIONS, 0)).isEqualTo(new ListTransactionsResponseData());
            assertThat(heartbeat(other, join())).isEqualTo(Errors.NONE);
        }
    }

    private int coordinatorPort(RawClient client) throws Exception {
        client.send(ApiKeys.FIND_COORDINATOR, 3, 3, new FindCoordinatorRequestData().setKey("g"));
        return ((FindCoordinatorResponseData) client.receive(ApiKeys.FIND_COORDINATOR, 3)).port();
    }

    private static Errors commit(RawClient client) throws Exception {
        client.send(ApiKeys.OFFSET_COMMIT, 9, 1, offsets());
        return errorOf((OffsetCommitResponseData) client.receive(ApiKeys.OFFSET_COMMIT, 9));
    }

    private static Errors errorOf(OffsetCommitResponseData answer) {
        return answer.topics().isEmpty()
                ? Errors.NONE
                : Errors.forCode(answer.topics().get(0).partitions().get(0).errorCode());
    }

    private static Errors heartbeat(RawClient client, ConsumerGroupHeartbeatRequestData request) throws Exception {
        client.send(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, 2, request);
        return receiveHeartbeat(client);
    }

    private static Errors receiveHeartbeat(RawClient client) throws Exception {
        ApiMessage answer = client.receive(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1);
        return Errors.forCode(((ConsumerGroupHeartbeatResponseData) answer).errorCode());
    }

    private static ApiVersionsRequestData versions() {
        return new ApiVersionsRequestData().setClientSoftwareName("raw").setClientSoftwareVersion("1");
    }

    private static ListOffsetsRequestData offsetsOfLeaders() {
        return new ListOffsetsRequestData()
                .setTopics(List.of(new ListOffsetsRequestData.ListOffsetsTopic()
                        .setName("t")
                        .setPartitions(List.of(new ListOffsetsRequestData.ListOffsetsPartition()))));
    }

    private static OffsetCommitRequestData offsets() {
        return new OffsetCommitRequestData()
                .setGroupId("g")
                .setMemberId("m")
                .setGenerationIdOrMemberEpoch(1)
                .setTopics(List.of(new OffsetCommitRequestTopic()
                        .setName("t")
                        .setPartitions(List.of(new OffsetCommitRequestPartition().setCommittedOffset(1)))));
    }

    private static ConsumerGroupHeartbeatRequestData keepAlive() {
        return new ConsumerGroupHeartbeatRequestData()
                .setGroupId("g")
                .setMemberId("m")
                .setMemberEpoch(1);
    }

    private static ConsumerGroupHeartbeatRequestData join() {
        return keepAlive()
                .setMemberEpoch(0)
                .setRebalanceTimeoutMs(1_000)
                .setSubscribedTopicNames(List.of())
                .setTopicPartitions(List.of());
    }

    /** Lets everybody be a member with epoch 1, and commit. */
    private static final class Members extends NoGroups {
        private final Queue<ConsumerHeartbeat> heard = new ConcurrentLinkedQueue<>();
        private final Queue<Command> admitted = new ConcurrentLinkedQueue<>();

        @Override
        public boolean owns(String groupId) {
            return true;
        }

        @Override
        public CompletableFuture<Response> submit(Command command) {
            if (command instanceof ConsumerHeartbeat heartbeat) {
                heard.add(heartbeat);
                return CompletableFuture.completedFuture(new Response.ConsumerHeartbeatAnswer(
                        heartbeat.memberId(), 1, 5_000, null, Collections.emptySortedSet()));
            }
            if (command instanceof CommitCommand.Admit) {
                admitted.add(command);
                return CompletableFuture.completedFuture(new Response.CommitAdmitted(new ClaimIdentity("claim", 1)));
            }
            return CompletableFuture.completedFuture(new Response.Done());
        }
    }
}
