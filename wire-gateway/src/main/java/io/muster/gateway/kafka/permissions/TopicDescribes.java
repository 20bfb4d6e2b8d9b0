package io.muster.gateway.kafka.permissions;

import io.muster.gateway.kafka.offsets.ClientUpstream;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/** Whether the client of one connection may DESCRIBE topics. Any thread. */
final class TopicDescribes {
    private final ClientUpstream upstream;
    private final AllowedNames allowed;

    TopicDescribes(ClientUpstream upstream, PermissionRefresh refresh) {
        this.upstream = upstream;
        this.allowed = new AllowedNames(refresh);
    }

    /** Those of the topics that it may not describe; asks the broker, whatever it said before. */
    CompletableFuture<SortedSet<String>> ask(Collection<String> topics) {
        if (topics.isEmpty()) {
            return CompletableFuture.completedFuture(new TreeSet<>());
        }
        MetadataRequestData request = new MetadataRequestData()
                .setAllowAutoTopicCreation(false)
                .setTopics(topics.stream()
                        .distinct()
                        .map(name -> new MetadataRequestTopic().setName(name))
                        .toList());
        long askedIn = allowed.authentication();
        return upstream.call(ApiKeys.METADATA, Permissions.METADATA, request).thenApply(answer -> {
            SortedSet<String> hidden = new TreeSet<>();
            ((MetadataResponseData) answer).topics().forEach(topic -> {
                boolean may = !Permissions.isHidden(topic);
                allowed.remember(topic.name(), may, askedIn);
                if (!may) {
                    hidden.add(topic.name());
                }
            });
            return hidden;
        });
    }

    /** As {@link #ask}, but it goes by what the broker has allowed before; what is due is asked anew meanwhile. */
    CompletableFuture<SortedSet<String>> askWhatIsUnknown(Collection<String> topics) {
        List<String> unknown = allowed.missing(topics);
        var unused = ask(allowed.takeDue(topics));
        return ask(unknown);
    }

    /** Forgets all, since the client says anew who it is. */
    void forget() {
        allowed.forget();
    }
}
