package io.muster.gateway.kafka.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Command;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.VirtualBrokers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** Lists of all groups, while a shard has no leader, and for clients that may not see them. */
class GroupListsTest {
    private static final short NONE = -1;

    private final Shards coordinator = new Shards();
    private final Session session = new Session(coordinator);

    @Test
    void groups_whileAShardHasNoLeader_areNotListedInPart() throws MalformedRequestException {
        // Given
        coordinator.complete = false;

        // When
        ListGroupsResponseData answer = (ListGroupsResponseData) answer(
                new ListGroupsApi(
                        coordinator,
                        new VirtualBrokers(
                                "gateway", 1, id -> CompletableFuture.completedFuture(null), troubles -> {})),
                (short) 5,
                new ListGroupsRequestData());

        // Then
        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(answer.groups()).isEmpty();
    }

    @Test
    void configResources_whileAShardHasNoLeader_areNotListedInPart() throws MalformedRequestException {
        // Given
        coordinator.complete = false;

        // Then
        assertThat(configResources()).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
    }

    @Test
    void configResources_forWhomMayNotSeeThem_areNotAskedFor() throws MalformedRequestException {
        // Given
        session.error = Errors.CLUSTER_AUTHORIZATION_FAILED;

        // Then
        assertThat(configResources()).isEqualTo(Errors.CLUSTER_AUTHORIZATION_FAILED);
        assertThat(coordinator.asked).isFalse();
    }

    @Test
    void configResources_beforeABrokerWithoutThem_needTheRightAllTheSame() throws MalformedRequestException {
        // Given
        session.maxVersion = NONE;

        // Then
        assertThat(configResources()).isEqualTo(Errors.CLUSTER_AUTHORIZATION_FAILED);
        assertThat(coordinator.asked).isFalse();
    }

    private Errors configResources() throws MalformedRequestException {
        ListConfigResourcesResponseData answer = (ListConfigResourcesResponseData)
                answer(new ListConfigResourcesApi(coordinator), (short) 1, new ListConfigResourcesRequestData());
        return Errors.forCode(answer.errorCode());
    }

    private ApiMessage answer(Api api, short version, ApiMessage request) throws MalformedRequestException {
        ByteBuffer frame = KafkaFrames.request(api.key(), version, "client", 1, request);
        Route route = api.route(KafkaRequest.parse(frame.position(KafkaFrames.LENGTH_BYTES)), session);
        return ((Route.Answer) route).message().join();
    }

    private static final class Shards extends GroupOwner {
        private boolean complete = true;
        private boolean asked;

        @Override
        public CompletableFuture<GroupListings> listGroups() {
            asked = true;
            return CompletableFuture.completedFuture(new GroupListings(List.of(), complete));
        }

        @Override
        public CompletableFuture<Response> submit(Command command) {
            throw new AssertionError(command);
        }
    }

    /** A broker with one group, on which the client may do nothing in particular. */
    private static final class Session extends OpenSession {
        private Errors error = Errors.NONE;
        private short maxVersion = Short.MAX_VALUE;

        Session(Coordinator coordinator) {
            super(coordinator);
        }

        @Override
        public short maxVersion(ApiKeys api) {
            return maxVersion;
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys key, short version, ApiMessage request) {
            if (key == ApiKeys.METADATA) {
                return CompletableFuture.completedFuture(new MetadataResponseData());
            }
            return CompletableFuture.completedFuture(
                    key == ApiKeys.LIST_GROUPS
                            ? new ListGroupsResponseData().setGroups(List.of(new ListedGroup().setGroupId("theirs")))
                            : new ListConfigResourcesResponseData().setErrorCode(error.code()));
        }
    }
}
