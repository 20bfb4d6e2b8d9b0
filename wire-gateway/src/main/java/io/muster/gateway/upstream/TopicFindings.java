package io.muster.gateway.upstream;

import io.muster.core.TopicInfo;
import io.muster.runtime.TopicReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.MetadataResponse;

/** What one broker said of topics. Those that it could not speak about are in neither. */
record TopicFindings(Map<String, TopicInfo> present, Set<String> absent) {
    /** @param racks gets to know the brokers that the answer names */
    static TopicFindings of(MetadataResponse response, BrokerRacks racks) {
        racks.see(response.data().brokers());
        Map<String, TopicInfo> present = new HashMap<>();
        Set<String> absent = new TreeSet<>();
        response.data().topics().forEach(topic -> {
            Errors error = Errors.forCode(topic.errorCode());
            if (error == Errors.UNKNOWN_TOPIC_OR_PARTITION || error == Errors.INVALID_TOPIC_EXCEPTION) {
                absent.add(topic.name());
            } else if (!topic.partitions().isEmpty()) {
                UUID id = new UUID(
                        topic.topicId().getMostSignificantBits(),
                        topic.topicId().getLeastSignificantBits());
                present.put(
                        topic.name(),
                        new TopicInfo(topic.name(), id, topic.partitions().size(), racks.of(topic.partitions())));
            }
        });
        return new TopicFindings(present, absent);
    }

    TopicReport about(Collection<String> names, Set<String> deleted) {
        List<TopicInfo> some = new ArrayList<>();
        names.forEach(name -> {
            TopicInfo topic = present.get(name);
            if (topic != null) {
                some.add(topic);
            }
        });
        Set<String> gone = new TreeSet<>(names);
        gone.retainAll(absent);
        Set<String> surelyGone = new TreeSet<>(deleted);
        surelyGone.retainAll(gone);
        return new TopicReport(some, gone, surelyGone);
    }
}
