package io.muster.gateway.kafka.api;

import io.muster.core.ConsumerCommand;
import io.muster.core.TopicPatterns;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import java.util.List;
import java.util.SortedSet;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the topics that patterns match on a client's own connection, so that its permissions decide, and reports them. */
final class PatternLookup {
    private static final Logger LOG = LoggerFactory.getLogger(PatternLookup.class);

    private final Coordinator coordinator;

    PatternLookup(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    void look(String groupId, SortedSet<String> patterns, ClientUpstream upstream) {
        MetadataRequestData allTopics =
                new MetadataRequestData().setTopics(null).setAllowAutoTopicCreation(false);
        var unused = upstream.call(ApiKeys.METADATA, upstream.maxVersion(ApiKeys.METADATA), allTopics)
                .thenApply(answer -> namesIn((MetadataResponseData) answer))
                .thenCompose(names -> coordinator.submit(
                        new ConsumerCommand.PatternsResolved(groupId, TopicPatterns.match(patterns, names))))
                .whenComplete((response, failure) -> {
                    if (failure != null) {
                        LOG.atWarn()
                                .addKeyValue("groupId", groupId)
                                .setCause(failure)
                                .log("the patterns of a group were not resolved; a later heartbeat tries again");
                    }
                });
    }

    private static List<String> namesIn(MetadataResponseData answer) {
        return answer.topics().stream()
                .filter(topic -> topic.errorCode() == Errors.NONE.code())
                .map(MetadataResponseTopic::name)
                .toList();
    }
}
