package io.muster.gateway.kafka.offsets;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** The names of topics by their ids, which never change; shared by the connections of a gateway. Any thread. */
public final class TopicNames {
    private static final short METADATA_VERSION = 12;

    private final Map<Uuid, String> known = new ConcurrentHashMap<>();

    /**
     * The names of those topics that upstream shows to this client; the others are left out.
     *
     * @param anew whether to ask about all of them, since nobody else will find out that one was deleted
     */
    CompletableFuture<Map<Uuid, String>> resolve(ClientUpstream upstream, Collection<Uuid> ids, boolean anew) {
        Map<Uuid, String> names = new HashMap<>();
        Set<Uuid> missing = new LinkedHashSet<>();
        for (Uuid id : ids) {
            String name = anew ? null : known.get(id);
            if (name != null) {
                names.put(id, name);
            } else if (!Uuid.ZERO_UUID.equals(id)) {
                missing.add(id);
            }
        }
        if (missing.isEmpty()) {
            return CompletableFuture.completedFuture(names);
        }
        MetadataRequestData request = new MetadataRequestData()
                .setAllowAutoTopicCreation(false)
                .setTopics(missing.stream()
                        .map(id -> new MetadataRequestTopic().setTopicId(id).setName(null))
                        .toList());
        return upstream.call(ApiKeys.METADATA, METADATA_VERSION, request).thenApply(response -> {
            ((MetadataResponseData) response).topics().forEach(topic -> learn(topic, names));
            return names;
        });
    }

    /** The ids of those topics that upstream shows to this client, by name. */
    CompletableFuture<Map<String, Uuid>> ids(ClientUpstream upstream, Collection<String> names) {
        if (names.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        MetadataRequestData request = new MetadataRequestData()
                .setAllowAutoTopicCreation(false)
                .setTopics(names.stream()
                        .distinct()
                        .map(name -> new MetadataRequestTopic().setName(name))
                        .toList());
        return upstream.call(ApiKeys.METADATA, METADATA_VERSION, request).thenApply(response -> {
            Map<String, Uuid> ids = new HashMap<>();
            ((MetadataResponseData) response)
                    .topics().stream()
                            .filter(topic -> topic.errorCode() == Errors.NONE.code())
                            .forEach(topic -> ids.put(topic.name(), topic.topicId()));
            return ids;
        });
    }

    /** What this client may not see is nothing that others forget. */
    private void learn(MetadataResponseTopic topic, Map<Uuid, String> names) {
        String name = topic.name();
        if (topic.errorCode() == Errors.NONE.code() && name != null) {
            known.put(topic.topicId(), name);
            names.put(topic.topicId(), name);
        } else if (topic.errorCode() == Errors.UNKNOWN_TOPIC_ID.code()) {
            known.remove(topic.topicId());
        }
    }
}
