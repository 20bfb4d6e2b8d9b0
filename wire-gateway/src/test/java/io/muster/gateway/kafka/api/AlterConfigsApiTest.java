package io.muster.gateway.kafka.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Command;
import io.muster.core.GroupCommand;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.AlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** Resources of several kinds in one AlterConfigs request; the broker answers the later ones first. */
class AlterConfigsApiTest {
    private static final byte TOPIC = ConfigResource.Type.TOPIC.id();
    private static final byte GROUP = ConfigResource.Type.GROUP.id();
    private static final String STANDBYS = "streams.num.standby.replicas";
    private static final String SHARE = "share.session.timeout.ms";

    private final Groups groups = new Groups();
    private final Broker broker = new Broker(groups);

    @Test
    void resources_areAnsweredInTheOrderOfTheRequest_andUpstreamHearsOfItsOwnConfigsOnly()
            throws MalformedRequestException {
        // Given
        AlterConfigsRequestData request = new AlterConfigsRequestData();
        request.resources().add(resource(TOPIC, "before", "retention.ms"));
        request.resources().add(resource(GROUP, "g", STANDBYS, SHARE));
        request.resources().add(resource(TOPIC, "after", "retention.ms"));

        // When
        AlterConfigsResponseData answer = alter(request);

        // Then
        assertThat(answer.responses())
                .extracting(AlterConfigsResourceResponse::resourceName)
                .containsExactly("before", "g", "after");
        assertThat(answer.responses()).allMatch(one -> one.errorCode() == Errors.NONE.code());
        assertThat(answer.throttleTimeMs()).isEqualTo(7);
        assertThat(broker.altered).containsExactly("retention.ms", SHARE, "retention.ms");
        assertThat(groups.made).hasSize(1);
    }

    @Test
    void groupThatIsRefused_isAnsweredInItsPlace_andUpstreamDoesNotHearOfIt() throws MalformedRequestException {
        // Given
        AlterConfigsRequestData request = new AlterConfigsRequestData();
        request.resources().add(resource(GROUP, "", STANDBYS));
        request.resources().add(resource(TOPIC, "t", "retention.ms"));

        // When
        AlterConfigsResponseData answer = alter(request);

        // Then
        assertThat(answer.responses())
                .extracting(one -> Errors.forCode(one.errorCode()))
                .containsExactly(Errors.INVALID_REQUEST, Errors.NONE);
        assertThat(broker.altered).containsExactly("retention.ms");
        assertThat(groups.made).isEmpty();
    }

    private AlterConfigsResponseData alter(AlterConfigsRequestData request) throws MalformedRequestException {
        KafkaRequest parsed = KafkaRequest.parse(
                KafkaFrames.request(ApiKeys.ALTER_CONFIGS, ApiKeys.ALTER_CONFIGS.latestVersion(), "client", 1, request)
                        .position(KafkaFrames.LENGTH_BYTES));
        Route.Answer route = (Route.Answer) new AlterConfigsApi().route(parsed, broker);
        return (AlterConfigsResponseData) route.message().join();
    }

    private static AlterConfigsResource resource(byte type, String name, String... configs) {
        AlterConfigsResource resource =
                new AlterConfigsResource().setResourceType(type).setResourceName(name);
        for (String config : configs) {
            resource.configs().add(new AlterableConfig().setName(config).setValue("1"));
        }
        return resource;
    }

    private static final class Groups extends GroupOwner {
        private final List<GroupCommand.AlterConfigs> made = new ArrayList<>();

        @Override
        public CompletableFuture<Response> submit(Command command) {
            if (command instanceof GroupCommand.AlterConfigs alter && !alter.validateOnly()) {
                made.add(alter);
            }
            return CompletableFuture.completedFuture(new Response.Done());
        }
    }

    private static final class Broker extends OpenSession {
        private final List<String> altered = new ArrayList<>();

        Broker(Coordinator coordinator) {
            super(coordinator);
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request) {
            AlterConfigsResponseData answer = new AlterConfigsResponseData().setThrottleTimeMs(7);
            ((AlterConfigsRequestData) request).resources().forEach(resource -> {
                resource.configs().forEach(config -> altered.add(config.name()));
                answer.responses()
                        .add(
                                0,
                                new AlterConfigsResourceResponse()
                                        .setResourceType(resource.resourceType())
                                        .setResourceName(resource.resourceName()));
            });
            return CompletableFuture.completedFuture(answer);
        }
    }
}
