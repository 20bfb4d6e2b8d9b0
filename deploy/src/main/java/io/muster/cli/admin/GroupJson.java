package io.muster.cli.admin;

import io.muster.core.GroupDescription;
import io.muster.core.GroupDescription.ConsumerMember;
import io.muster.core.GroupDescription.StreamsMember;
import io.muster.core.GroupInspection;
import io.muster.core.HistoryEntry;
import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Groups as maps and lists, for programs. */
final class GroupJson {
    private GroupJson() {}

    static Map<String, Object> describe(GroupInspection inspection) {
        GroupDescription group = inspection.description();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("groupId", group.groupId());
        json.put("type", GroupText.typeOf(group));
        json.put("state", group.state().kafkaName());
        json.put("groupEpoch", group.groupEpoch());
        json.put("assignmentEpoch", group.assignmentEpoch());
        json.put("claim", inspection.claim());
        json.put("waiting", inspection.waiting());
        List<Map<String, @Nullable Object>> members = new ArrayList<>();
        if (group instanceof GroupDescription.Consumer consumer) {
            consumer.members().forEach(member -> members.add(json(member, consumer.topicNames())));
        } else if (group instanceof GroupDescription.Streams streams) {
            streams.members().forEach(member -> members.add(json(member)));
        }
        json.put("members", members);
        return json;
    }

    /** Oldest first. */
    static List<Map<String, Object>> history(List<HistoryEntry> entries) {
        return entries.stream().map(GroupJson::json).toList();
    }

    private static Map<String, Object> json(HistoryEntry entry) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("sequence", entry.sequence());
        json.put("at", Instant.ofEpochMilli(entry.atMillis()).toString());
        json.put("groupEpoch", entry.groupEpoch());
        json.put("reason", entry.reason().name());
        json.put("memberId", entry.memberId());
        json.put("detail", entry.detail());
        return json;
    }

    private static Map<String, @Nullable Object> json(ConsumerMember member, SortedMap<UUID, String> topicNames) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("memberId", member.memberId());
        json.put("instanceId", member.instanceId());
        json.put("rackId", member.rackId());
        json.put("clientId", member.client().clientId());
        json.put("clientHost", member.client().clientHost());
        json.put("memberEpoch", member.memberEpoch());
        json.put("subscribedTopicNames", member.subscribedTopicNames());
        json.put("subscribedTopicRegex", member.subscribedTopicRegex());
        json.put("current", json(member.assignment(), topicNames));
        json.put("target", json(member.targetAssignment(), topicNames));
        return json;
    }

    private static Map<String, @Nullable Object> json(StreamsMember member) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("memberId", member.memberId());
        json.put("instanceId", member.instanceId());
        json.put("rackId", member.rackId());
        json.put("processId", member.processId());
        json.put("clientId", member.client().clientId());
        json.put("clientHost", member.client().clientHost());
        json.put("memberEpoch", member.memberEpoch());
        json.put("topologyEpoch", member.topologyEpoch());
        json.put("current", json(member.assignment()));
        json.put("target", json(member.targetAssignment()));
        return json;
    }

    private static Map<String, Object> json(Partitions<UUID> partitions, SortedMap<UUID, String> topicNames) {
        Map<String, Object> json = new TreeMap<>();
        partitions.byKey().forEach((id, numbers) -> json.put(topicNames.getOrDefault(id, id.toString()), numbers));
        return json;
    }

    private static Map<String, Object> json(TaskAssignment tasks) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("active", tasks.active().byKey());
        json.put("standby", tasks.standby().byKey());
        json.put("warmup", tasks.warmup().byKey());
        return json;
    }
}
