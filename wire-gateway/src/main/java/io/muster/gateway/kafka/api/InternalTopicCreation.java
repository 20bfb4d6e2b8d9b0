package io.muster.gateway.kafka.api;

import io.muster.core.Response;
import io.muster.core.Response.StreamsHeartbeatAnswer;
import io.muster.core.Response.StreamsStatus;
import io.muster.core.StreamsCommand.InternalTopicsReported;
import io.muster.core.Topology.InternalTopic;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** Creates internal topics on a client's own connection, so that its permissions decide, and reports the outcome. */
final class InternalTopicCreation {
    private static final int TIMEOUT_MILLIS = 30_000;

    private final Coordinator coordinator;

    InternalTopicCreation(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    /**
     * Creates the topics that the answer names, in the background. Nothing is tried if the client may not create each of them: the
     * answer says so then.
     *
     * @return the answer for the client
     */
    CompletableFuture<Response> create(String groupId, StreamsHeartbeatAnswer answer, ClientSession session) {
        List<InternalTopic> topics = answer.followUps().topicsToCreate();
        Set<String> names = topics.stream().map(InternalTopic::name).collect(Collectors.toSet());
        var asked =
                session.permissions().uncreatable(names).orTimeout(Answers.PERMISSION_MILLIS, TimeUnit.MILLISECONDS);
        return asked.handle((denied, failure) -> {
            if (failure != null || denied.isEmpty()) {
                create(groupId, topics, session.upstream());
                return answer;
            }
            SortedMap<String, String> failures = new TreeMap<>();
            denied.forEach(name -> failures.put(name, InternalTopicsReported.UNAUTHORIZED));
            var unused = coordinator.submit(new InternalTopicsReported(groupId, failures));
            return withDenied(answer, denied);
        });
    }

    private static StreamsHeartbeatAnswer withDenied(StreamsHeartbeatAnswer answer, SortedSet<String> denied) {
        String words = InternalTopicsReported.UNAUTHORIZED + " on topics " + String.join(", ", denied) + ".";
        return answer.withStatus(answer.status().stream()
                .map(status -> status.code() == StreamsStatus.Code.MISSING_INTERNAL_TOPICS
                                && !status.detail().contains(words)
                        ? new StreamsStatus(status.code(), status.detail() + "; " + words)
                        : status)
                .toList());
    }

    private void create(String groupId, List<InternalTopic> topics, ClientUpstream upstream) {
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTimeoutMs(TIMEOUT_MILLIS);
        topics.forEach(topic -> request.topics().add(creatable(topic)));
        short version = upstream.maxVersion(ApiKeys.CREATE_TOPICS);
        var unused = upstream.call(ApiKeys.CREATE_TOPICS, version, request).handle((answer, failure) -> {
            SortedMap<String, String> failures = new TreeMap<>();
            if (failure == null) {
                readInto(failures, (CreateTopicsResponseData) answer);
            } else {
                topics.forEach(topic -> failures.put(topic.name(), String.valueOf(failure.getMessage())));
            }
            report(groupId, topics, failures);
            return failures;
        });
    }

    private void report(String groupId, List<InternalTopic> topics, SortedMap<String, String> failures) {
        Set<String> created = new TreeSet<>();
        topics.stream()
                .map(InternalTopic::name)
                .filter(name -> !failures.containsKey(name))
                .forEach(created::add);
        if (!created.isEmpty()) {
            coordinator.topicsTouched(created, Set.of());
        }
        var unused = coordinator.submit(new InternalTopicsReported(groupId, failures));
    }

    private static void readInto(SortedMap<String, String> failures, CreateTopicsResponseData answer) {
        for (CreatableTopicResult result : answer.topics()) {
            Errors error = Errors.forCode(result.errorCode());
            if (error != Errors.NONE && error != Errors.TOPIC_ALREADY_EXISTS) {
                String message = result.errorMessage();
                failures.put(result.name(), message == null ? error.message() : message);
            }
        }
    }

    private static CreatableTopic creatable(InternalTopic topic) {
        CreatableTopic creatable = new CreatableTopic()
                .setName(topic.name())
                .setNumPartitions(topic.partitions())
                .setReplicationFactor((short) (topic.replicationFactor() == 0 ? -1 : topic.replicationFactor()));
        topic.configs()
                .forEach((name, value) -> creatable
                        .configs()
                        .add(new CreatableTopicConfig().setName(name).setValue(value)));
        return creatable;
    }
}
