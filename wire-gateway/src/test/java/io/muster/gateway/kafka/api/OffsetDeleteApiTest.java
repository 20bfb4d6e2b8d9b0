package io.muster.gateway.kafka.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class OffsetDeleteApiTest {
    private static final int DELETE = 1 << AclOperation.DELETE.code();
    private static final int READ = 1 << AclOperation.READ.code();

    private final Claimed coordinator = new Claimed();
    private final Session session = new Session(coordinator);
    private final OffsetDeleteApi api = new OffsetDeleteApi(coordinator);

    @Test
    void deletion_byWhomMayNotDelete_leavesTheClaimAlone() throws MalformedRequestException {
        // Given
        session.group.setAuthorizedOperations(READ);

        // Then
        assertThat(Errors.forCode(delete("t").errorCode())).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED);
        assertThat(coordinator.heard).isEmpty();
    }

    @Test
    void deletion_whoseRightTheBrokerDoesNotSay_isRefusedAndLeavesTheClaimAlone() throws MalformedRequestException {
        // Given
        session.group.setErrorCode(Errors.NOT_COORDINATOR.code());

        // Then
        assertThat(Errors.forCode(delete("t").errorCode())).isEqualTo(Errors.NOT_COORDINATOR);
        assertThat(coordinator.heard).isEmpty();
    }

    @Test
    void deletion_whileTheOwnedGroupsAreNotKnown_isAskedAboutAllTheSame() throws MalformedRequestException {
        // Given
        coordinator.known = false;
        session.group.setAuthorizedOperations(READ);

        // Then
        assertThat(Errors.forCode(delete("t").errorCode())).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED);
        assertThat(coordinator.heard).isEmpty();
    }

    @Test
    void deletion_ofTopicsThatMayNotBeReadOnly_leavesTheClaimAlone() throws MalformedRequestException {
        // When
        OffsetDeleteResponseData answer = delete("hidden");

        // Then
        assertThat(answer.topics().find("hidden").partitions().find(0).errorCode())
                .isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED.code());
        assertThat(coordinator.heard).isEmpty();
    }

    @Test
    void deletion_ofSomeTopics_stepsAsideForThoseThatMayBeRead() throws MalformedRequestException {
        // When
        OffsetDeleteResponseData answer = delete("hidden", "t");

        // Then
        assertThat(answer.topics().find("hidden").partitions().find(0).errorCode())
                .isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED.code());
        assertThat(answer.topics().find("t").partitions().find(0).errorCode())
                .isEqualTo(Errors.GROUP_SUBSCRIBED_TO_TOPIC.code());
        assertThat(coordinator.heard)
                .singleElement()
                .isInstanceOfSatisfying(
                        CommitCommand.AdmitDelete.class,
                        admit -> assertThat(admit.topics()).containsExactly("t"));
    }

    private OffsetDeleteResponseData delete(String... topics) throws MalformedRequestException {
        OffsetDeleteRequestData request = new OffsetDeleteRequestData().setGroupId("g");
        for (String topic : topics) {
            request.topics()
                    .add(new OffsetDeleteRequestTopic()
                            .setName(topic)
                            .setPartitions(List.of(new OffsetDeleteRequestPartition())));
        }
        ByteBuffer frame = KafkaFrames.request(ApiKeys.OFFSET_DELETE, (short) 0, "client", 1, request);
        Route route = api.route(KafkaRequest.parse(frame.position(KafkaFrames.LENGTH_BYTES)), session);
        return (OffsetDeleteResponseData) ((Route.Answer) route).message().join();
    }

    /** Its members consume every topic. */
    private static final class Claimed extends GroupOwner {
        private final List<Command> heard = new ArrayList<>();
        private boolean known = true;

        @Override
        public boolean owns(String groupId) {
            return known;
        }

        @Override
        public boolean ownershipKnown(String groupId) {
            return known;
        }

        @Override
        public CompletableFuture<Response> submit(Command command) {
            heard.add(command);
            return CompletableFuture.completedFuture(new Response.TopicsAllowed(new TreeSet<>()));
        }
    }

    /** A broker that lets the client delete the group, and read every topic but {@code hidden}. */
    private static final class Session extends OpenSession {
        private final DescribedGroup group =
                new DescribedGroup().setGroupId("g").setAuthorizedOperations(DELETE);

        Session(Coordinator coordinator) {
            super(coordinator);
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys key, short version, ApiMessage request) {
            return CompletableFuture.completedFuture(
                    request instanceof DescribeGroupsRequestData
                            ? new DescribeGroupsResponseData().setGroups(List.of(group))
                            : metadata((MetadataRequestData) request));
        }

        private static MetadataResponseData metadata(MetadataRequestData request) {
            MetadataResponseData answer = new MetadataResponseData();
            request.topics()
                    .forEach(topic -> answer.topics()
                            .add(new MetadataResponseTopic()
                                    .setName(topic.name())
                                    .setTopicAuthorizedOperations(topic.name().equals("hidden") ? 0 : READ)));
            return answer;
        }
    }
}
