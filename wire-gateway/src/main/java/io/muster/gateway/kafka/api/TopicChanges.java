package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** Requests that change topics are passed, and Muster takes note of what succeeded. */
final class TopicChanges {
    private TopicChanges() {}

    static Api creations(Coordinator coordinator) {
        return new Rewriting(ApiKeys.CREATE_TOPICS, ApiKeys.CREATE_TOPICS.oldestVersion(), response -> {
            Set<String> names = new TreeSet<>();
            ((CreateTopicsResponseData) response)
                    .topics().stream()
                            .filter(topic -> topic.errorCode() == Errors.NONE.code())
                            .forEach(topic -> names.add(topic.name()));
            return note(coordinator, names, Set.of());
        });
    }

    static Api deletions(Coordinator coordinator) {
        return new Rewriting(ApiKeys.DELETE_TOPICS, ApiKeys.DELETE_TOPICS.oldestVersion(), response -> {
            Set<String> names = new TreeSet<>();
            ((DeleteTopicsResponseData) response)
                    .responses().stream()
                            .filter(topic -> topic.errorCode() == Errors.NONE.code() && topic.name() != null)
                            .forEach(topic -> names.add(topic.name()));
            return note(coordinator, names, names);
        });
    }

    static Api growth(Coordinator coordinator) {
        return new Rewriting(ApiKeys.CREATE_PARTITIONS, ApiKeys.CREATE_PARTITIONS.oldestVersion(), response -> {
            Set<String> names = new TreeSet<>();
            ((CreatePartitionsResponseData) response)
                    .results().stream()
                            .filter(topic -> topic.errorCode() == Errors.NONE.code())
                            .forEach(topic -> names.add(topic.name()));
            return note(coordinator, names, Set.of());
        });
    }

    private static boolean note(Coordinator coordinator, Set<String> names, Set<String> deleted) {
        if (!names.isEmpty()) {
            coordinator.topicsTouched(names, deleted);
        }
        return false;
    }
}
