package io.muster.gateway.kafka.api;

import io.muster.core.Endpoint;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.core.TaskAssignment;
import io.muster.gateway.kafka.ErrorMapper;
import java.util.List;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData.EndpointToPartitions;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData.Status;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData.TaskIds;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData.TopicPartition;

/** Writes StreamsGroupHeartbeat responses. */
final class StreamsAnswers {
    private StreamsAnswers() {}

    /** @param version of the request */
    static StreamsGroupHeartbeatResponseData heartbeat(Response response, short version) {
        if (!(response instanceof Response.StreamsHeartbeatAnswer answer)) {
            Response.Refused refused = Answers.refusal(response);
            return new StreamsGroupHeartbeatResponseData()
                    .setErrorCode(ErrorMapper.codeOf(refused.error()))
                    .setErrorMessage(refused.message());
        }
        StreamsGroupHeartbeatResponseData data = new StreamsGroupHeartbeatResponseData()
                .setMemberId(answer.memberId())
                .setMemberEpoch(answer.memberEpoch())
                .setHeartbeatIntervalMs(answer.settings().heartbeatIntervalMillis())
                .setTaskOffsetIntervalMs(answer.settings().taskOffsetIntervalMillis())
                .setEndpointInformationEpoch(answer.endpointInformation().epoch())
                .setStatus(answer.status().stream()
                        .map(status -> new Status()
                                .setStatusCode(codeOf(status.code()))
                                .setStatusDetail(status.detail()))
                        .toList());
        if (version > 0) {
            // Version 0 has a field for the lag too; Kafka leaves it at 0.
            data.setAcceptableRecoveryLag(answer.settings().acceptableRecoveryLag())
                    .setTopologyDescriptionRequired(answer.followUps().topologyDescriptionRequired());
        }
        TaskAssignment assigned = answer.assignment();
        if (assigned != null) {
            data.setActiveTasks(tasks(assigned.active()))
                    .setStandbyTasks(tasks(assigned.standby()))
                    .setWarmupTasks(tasks(assigned.warmup()));
        }
        List<Response.EndpointPartitions> endpoints =
                answer.endpointInformation().endpoints();
        if (endpoints != null) {
            data.setPartitionsByUserEndpoint(
                    endpoints.stream().map(StreamsAnswers::endpoint).toList());
        }
        return data;
    }

    private static List<TaskIds> tasks(Partitions<String> tasks) {
        return Kafka.entries(
                tasks, (id, numbers) -> new TaskIds().setSubtopologyId(id).setPartitions(numbers));
    }

    private static EndpointToPartitions endpoint(Response.EndpointPartitions served) {
        Endpoint endpoint = served.endpoint();
        return new EndpointToPartitions()
                .setUserEndpoint(new StreamsGroupHeartbeatResponseData.Endpoint()
                        .setHost(endpoint.host())
                        .setPort(endpoint.port()))
                .setActivePartitions(topics(served.active()))
                .setStandbyPartitions(topics(served.standby()));
    }

    private static List<TopicPartition> topics(List<Partitions<String>> partitions) {
        return partitions.stream()
                .flatMap(each -> Kafka.entries(
                        each,
                        (topic, numbers) -> new TopicPartition().setTopic(topic).setPartitions(numbers))
                        .stream())
                .toList();
    }

    private static byte codeOf(Response.StreamsStatus.Code code) {
        return switch (code) {
            case STALE_TOPOLOGY -> 0;
            case MISSING_SOURCE_TOPICS -> 1;
            case INCORRECTLY_PARTITIONED_TOPICS -> 2;
            case MISSING_INTERNAL_TOPICS -> 3;
            case SHUTDOWN_APPLICATION -> 4;
            case ASSIGNMENT_DELAYED -> 5;
            case MISSING_CLIENT_TAGS -> 6;
        };
    }
}
