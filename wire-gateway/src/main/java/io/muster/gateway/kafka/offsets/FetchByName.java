package io.muster.gateway.kafka.offsets;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** OffsetFetch by topic ids (version 10) for an upstream that knows names only. */
final class FetchByName {
    static final short FIRST_WITH_TOPIC_IDS = 10;

    private static final short LAST_BY_NAME = 9;
    private static final long NO_OFFSET = -1;

    private final ClientUpstream upstream;
    private final TopicNames topics;

    FetchByName(ClientUpstream upstream, TopicNames topics) {
        this.upstream = upstream;
        this.topics = topics;
    }

    /** @param upstreamMaxVersion the newest that upstream has, less than 10 */
    CompletableFuture<OffsetFetchResponseData> fetch(OffsetFetchRequestData request, short upstreamMaxVersion) {
        Set<Uuid> ids = request.groups().stream()
                .flatMap(group -> topicsOf(group).stream())
                .map(OffsetFetchRequestTopics::topicId)
                .collect(Collectors.toSet());
        short version = (short) Math.min(LAST_BY_NAME, upstreamMaxVersion);
        return topics.resolve(upstream, ids, true)
                .thenCompose(names -> upstream.call(ApiKeys.OFFSET_FETCH, version, byName(request, names))
                        .thenCompose(answer -> byId((OffsetFetchResponseData) answer, request, names)));
    }

    private static OffsetFetchRequestData byName(OffsetFetchRequestData request, Map<Uuid, String> names) {
        OffsetFetchRequestData asked = request.duplicate();
        for (OffsetFetchRequestGroup group : asked.groups()) {
            List<OffsetFetchRequestTopics> named = group.topics();
            if (named != null) {
                named.removeIf(topic -> !names.containsKey(topic.topicId()));
                named.forEach(topic ->
                        topic.setName(names.getOrDefault(topic.topicId(), "")).setTopicId(Uuid.ZERO_UUID));
            }
        }
        return asked;
    }

    /** A fetch of all offsets names topics that the request did not; those that are gone have no id and are left out. */
    private CompletableFuture<OffsetFetchResponseData> byId(
            OffsetFetchResponseData answer, OffsetFetchRequestData request, Map<Uuid, String> names) {
        Map<String, Uuid> ids = new HashMap<>();
        names.forEach((id, name) -> ids.put(name, id));
        List<String> others = answer.groups().stream()
                .flatMap(group -> group.topics().stream())
                .map(OffsetFetchResponseTopics::name)
                .filter(name -> !ids.containsKey(name))
                .toList();
        return topics.ids(upstream, others).thenApply(found -> {
            ids.putAll(found);
            // Upstream answers in the order of the request, which may name a group more than once.
            for (int i = 0; i < answer.groups().size(); i++) {
                OffsetFetchResponseGroup group = answer.groups().get(i);
                group.setTopics(group.topics().stream()
                        .filter(topic -> ids.containsKey(topic.name()))
                        .map(topic -> topic.setTopicId(ids.getOrDefault(topic.name(), Uuid.ZERO_UUID)))
                        .collect(Collectors.toCollection(ArrayList::new)));
                if (group.errorCode() == Errors.NONE.code()) {
                    addUnknown(group, request.groups().get(i), names);
                }
            }
            return answer;
        });
    }

    private static void addUnknown(
            OffsetFetchResponseGroup group, OffsetFetchRequestGroup asked, Map<Uuid, String> names) {
        topicsOf(asked).stream()
                .filter(topic -> !names.containsKey(topic.topicId()))
                .forEach(topic -> group.topics().add(unknown(topic)));
    }

    private static OffsetFetchResponseTopics unknown(OffsetFetchRequestTopics topic) {
        return new OffsetFetchResponseTopics()
                .setTopicId(topic.topicId())
                .setPartitions(topic.partitionIndexes().stream()
                        .map(index -> new OffsetFetchResponsePartitions()
                                .setPartitionIndex(index)
                                .setCommittedOffset(NO_OFFSET)
                                .setMetadata("")
                                .setErrorCode(Errors.UNKNOWN_TOPIC_ID.code()))
                        .toList());
    }

    private static List<OffsetFetchRequestTopics> topicsOf(OffsetFetchRequestGroup group) {
        List<OffsetFetchRequestTopics> named = group.topics();
        return named == null ? List.of() : named;
    }
}
