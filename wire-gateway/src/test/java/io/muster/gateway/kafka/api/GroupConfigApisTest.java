package io.muster.gateway.kafka.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Arrival;
import io.muster.core.Command;
import io.muster.core.CoordinatorConfig;
import io.muster.core.Decision;
import io.muster.core.DecisionContext;
import io.muster.core.Group;
import io.muster.core.GroupEngine;
import io.muster.core.GroupError;
import io.muster.core.LeaderMemory;
import io.muster.core.Response;
import io.muster.core.TopicCatalogue;
import io.muster.core.claim.ClaimLogic;
import io.muster.core.consumer.ConsumerGroupLogic;
import io.muster.core.streams.StreamsGroupLogic;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfigCollection;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The configs of one group, kept by a real core, before an upstream that answers as it is told. */
class GroupConfigApisTest {
    private static final CoordinatorConfig DEFAULTS = CoordinatorConfig.defaults("blue");
    private static final Duration PATIENCE = Duration.ofSeconds(25);
    private static final String STANDBYS = "streams.num.standby.replicas";
    private static final String TAGS = "streams.rack.aware.assignment.tags";
    private static final String SHARE = "share.upstream.timeout.ms";

    private final OneGroup coordinator = new OneGroup();
    private final Upstream upstream = new Upstream(coordinator);

    @Test
    void alter_ofBothKinds_isSplit() throws MalformedRequestException {
        // When
        AlterConfigsResourceResponse answer = alter(set(STANDBYS, " 1 "), set(SHARE, "50000"));

        // Then
        assertThat(answer.errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(coordinator.group.configs()).isEqualTo(Map.of(STANDBYS, "1"));
        assertThat(upstream.altered).containsExactly(SHARE);
    }

    @Test
    void alter_toABadValue_changesNothingAnywhere() throws MalformedRequestException {
        // When
        AlterConfigsResourceResponse answer = alter(set(STANDBYS, "3"), set(SHARE, "50000"));

        // Then
        assertThat(answer.errorCode()).isEqualTo(Errors.INVALID_CONFIG.code());
        assertThat(answer.errorMessage()).isEqualTo(STANDBYS + " must be less than or equal to 2");
        assertThat(coordinator.group.configs()).isEmpty();
        assertThat(upstream.altered).isEmpty();
    }

    @Test
    void alter_byWhomUpstreamRefuses_changesNothing() throws MalformedRequestException {
        // Given
        upstream.error = Errors.GROUP_AUTHORIZATION_FAILED;

        // When
        AlterConfigsResourceResponse answer = alter(set(STANDBYS, "1"));

        // Then
        assertThat(answer.errorCode()).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED.code());
        assertThat(coordinator.group.configs()).isEmpty();
    }

    @Test
    void configs_beforeAnUpstreamThatKnowsNoGroupConfigs_areTheAdministratorsOnly() throws MalformedRequestException {
        // Given
        upstream.error = Errors.INVALID_REQUEST;

        // Then
        assertThat(alter(set(STANDBYS, "2")).errorCode()).isEqualTo(Errors.CLUSTER_AUTHORIZATION_FAILED.code());
        assertThat(coordinator.group.configs()).isEmpty();
        assertThat(describe(STANDBYS)).isEmpty();
    }

    @Test
    void configs_beforeAnUpstreamThatKnowsNoGroupConfigs_areKept() throws MalformedRequestException {
        // Given
        upstream.error = Errors.INVALID_REQUEST;
        upstream.cluster = Set.of(AclOperation.ALTER_CONFIGS, AclOperation.DESCRIBE_CONFIGS);

        // When
        AlterConfigsResourceResponse answer = alter(set(STANDBYS, "2"));

        // Then
        assertThat(answer.errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(describe(STANDBYS)).singleElement().satisfies(config -> {
            assertThat(config.value()).isEqualTo("2");
            assertThat(config.configSource()).isEqualTo((byte) 8);
            assertThat(config.synonyms()).extracting(one -> one.name()).containsExactly(STANDBYS, "group." + STANDBYS);
        });
    }

    @Test
    void alter_appendingOrSubtracting_isRefusedAsInKafka() throws MalformedRequestException {
        // Given
        alter(set(TAGS, "zone"));

        // Then
        assertThat(alter(change(TAGS, OpType.APPEND, "rack")).errorMessage())
                .isEqualTo("Can't APPEND to key " + TAGS + " because its type is not LIST.");
        assertThat(alter(change(STANDBYS, OpType.SUBTRACT, "1")).errorCode()).isEqualTo(Errors.INVALID_CONFIG.code());
        assertThat(coordinator.group.configs()).isEqualTo(Map.of(TAGS, "zone"));
    }

    @Test
    void alter_byAnUnknownOperation_isAnsweredAsInKafka() throws MalformedRequestException {
        // When
        AlterConfigsResourceResponse answer = alter(set(STANDBYS, "1").setConfigOperation((byte) 4));

        // Then
        assertThat(answer.errorCode()).isEqualTo(Errors.UNKNOWN_SERVER_ERROR.code());
        assertThat(coordinator.group.configs()).isEmpty();
    }

    @Test
    void alter_deletingAConfig_bringsTheDefaultBack() throws MalformedRequestException {
        // Given
        alter(set(STANDBYS, "1"));

        // When
        alter(change(STANDBYS, OpType.DELETE, null));

        // Then
        assertThat(describe(STANDBYS)).singleElement().satisfies(config -> {
            assertThat(config.value()).isEqualTo("0");
            assertThat(config.configSource()).isEqualTo((byte) 5);
        });
    }

    @Test
    void alter_withoutAValue_isRefused() throws MalformedRequestException {
        // When
        AlterConfigsResourceResponse answer = alter(set(STANDBYS, null));

        // Then
        assertThat(answer.errorCode()).isEqualTo(Errors.INVALID_REQUEST.code());
        assertThat(answer.errorMessage()).isEqualTo("Null value not supported for : " + STANDBYS);
    }

    @Test
    void configs_whileTheShardHasNoLeader_waitForOne() throws MalformedRequestException {
        // Given
        coordinator.leads = false;

        // When
        CompletableFuture<ApiMessage> altered =
                underWay(new IncrementalAlterConfigsApi(), (short) 1, alteration(set(STANDBYS, "1")));
        CompletableFuture<ApiMessage> described =
                underWay(new DescribeConfigsApi(DEFAULTS), (short) 4, description(STANDBYS));
        upstream.thread.advance(PATIENCE.dividedBy(2));
        assertThat(altered).isNotDone();
        assertThat(described).isNotDone();
        coordinator.leads = true;
        upstream.thread.advance(Duration.ofSeconds(5));

        // Then
        assertThat(altered).isCompletedWithValueMatching(answer -> errorOf(answer) == Errors.NONE);
        assertThat(coordinator.group.configs()).isEqualTo(Map.of(STANDBYS, "1"));
        assertThat(described).isCompleted();
    }

    @Test
    void configs_ofAShardThatGetsNoLeader_areRefusedWhenTheClientWaitsNoMore() throws MalformedRequestException {
        // Given
        coordinator.leads = false;

        // When
        CompletableFuture<ApiMessage> altered =
                underWay(new IncrementalAlterConfigsApi(), (short) 1, alteration(set(STANDBYS, "1")));
        upstream.thread.advance(PATIENCE);

        // Then
        assertThat(altered).isCompletedWithValueMatching(answer -> errorOf(answer) == Errors.NOT_COORDINATOR);
    }

    private static Errors errorOf(ApiMessage answer) {
        return Errors.forCode(((IncrementalAlterConfigsResponseData) answer)
                .responses()
                .get(0)
                .errorCode());
    }

    private AlterConfigsResourceResponse alter(AlterableConfig... configs) throws MalformedRequestException {
        ApiMessage answer = answer(new IncrementalAlterConfigsApi(), (short) 1, alteration(configs));
        return ((IncrementalAlterConfigsResponseData) answer).responses().get(0);
    }

    private static IncrementalAlterConfigsRequestData alteration(AlterableConfig... configs) {
        AlterConfigsResource resource = new AlterConfigsResource()
                .setResourceType(GroupConfigChanges.GROUP)
                .setResourceName("g")
                .setConfigs(new AlterableConfigCollection(List.of(configs).iterator()));
        IncrementalAlterConfigsRequestData request = new IncrementalAlterConfigsRequestData();
        request.resources().add(resource);
        return request;
    }

    private List<DescribeConfigsResourceResult> describe(String name) throws MalformedRequestException {
        ApiMessage answer = answer(new DescribeConfigsApi(DEFAULTS), (short) 4, description(name));
        return ((DescribeConfigsResponseData) answer).results().get(0).configs();
    }

    private static DescribeConfigsRequestData description(String name) {
        return new DescribeConfigsRequestData()
                .setIncludeSynonyms(true)
                .setResources(List.of(new DescribeConfigsResource()
                        .setResourceType(GroupConfigChanges.GROUP)
                        .setResourceName("g")
                        .setConfigurationKeys(List.of(name))));
    }

    private ApiMessage answer(Api api, short version, ApiMessage request) throws MalformedRequestException {
        return underWay(api, version, request).join();
    }

    private CompletableFuture<ApiMessage> underWay(Api api, short version, ApiMessage request)
            throws MalformedRequestException {
        ByteBuffer frame = KafkaFrames.request(api.key(), version, "client", 1, request);
        Route route =
                api.route(KafkaRequest.parse(frame.position(KafkaFrames.LENGTH_BYTES), PATIENCE.toNanos()), upstream);
        return ((Route.Answer) route).message();
    }

    private static AlterableConfig set(String name, @Nullable String value) {
        return change(name, OpType.SET, value);
    }

    private static AlterableConfig change(String name, OpType operation, @Nullable String value) {
        return new AlterableConfig()
                .setName(name)
                .setConfigOperation(operation.id())
                .setValue(value);
    }

    private static final class OneGroup extends GroupOwner {
        private final GroupEngine engine = new GroupEngine(
                new ConsumerGroupLogic(new ClaimLogic()), new StreamsGroupLogic(new ClaimLogic()), new ClaimLogic());
        private Group group = Group.absent("g");
        private boolean leads = true;

        @Override
        public CompletableFuture<Response> submit(Command command) {
            if (!leads) {
                return CompletableFuture.completedFuture(
                        new Response.Refused(GroupError.NOT_COORDINATOR, "The group's shard has no leader."));
            }
            Decision decision = engine.decide(
                    group,
                    List.of(new Arrival(command, 0, "fresh", false)),
                    new DecisionContext(0, TopicCatalogue.EMPTY, DEFAULTS, LeaderMemory.UNKNOWN));
            group = decision.after();
            return CompletableFuture.completedFuture(decision.replies().get(0).response());
        }

        @Override
        public boolean owns(String groupId) {
            return true;
        }
    }

    /** Answers everything with the same error, and takes note of the configs that it shall alter. */
    private static final class Upstream extends OpenSession {
        private final List<String> altered = new ArrayList<>();
        private Errors error = Errors.NONE;
        private Set<AclOperation> cluster = Set.of();

        Upstream(Coordinator coordinator) {
            super(coordinator);
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request) {
            if (request instanceof MetadataRequestData) {
                return CompletableFuture.completedFuture(new MetadataResponseData()
                        .setClusterAuthorizedOperations(cluster.stream()
                                .mapToInt(operation -> 1 << operation.code())
                                .sum()));
            }
            if (request instanceof DescribeConfigsRequestData) {
                return CompletableFuture.completedFuture(new DescribeConfigsResponseData()
                        .setResults(List.of(new DescribeConfigsResult()
                                .setResourceType(GroupConfigChanges.GROUP)
                                .setResourceName("g")
                                .setErrorCode(error.code()))));
            }
            IncrementalAlterConfigsRequestData alter = (IncrementalAlterConfigsRequestData) request;
            alter.resources().forEach(resource -> resource.configs().forEach(config -> altered.add(config.name())));
            return CompletableFuture.completedFuture(new IncrementalAlterConfigsResponseData()
                    .setResponses(new ArrayList<>(alter.resources().stream()
                            .map(resource -> new AlterConfigsResourceResponse()
                                    .setResourceType(resource.resourceType())
                                    .setResourceName(resource.resourceName())
                                    .setErrorCode(error.code()))
                            .toList())));
        }
    }
}
