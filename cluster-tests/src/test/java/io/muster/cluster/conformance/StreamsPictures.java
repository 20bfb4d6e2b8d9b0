package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Streams groups and the answers to their heartbeats, in what is the same whichever tasks a member has. */
final class StreamsPictures {
    private StreamsPictures() {}

    static GroupPicture of(JsonNode group, RandomTarget target) {
        GroupPicture.Painter painter = new GroupPicture.Painter();
        Map<String, String> profiles = new TreeMap<>();
        Map<String, Set<String>> processes = new TreeMap<>();
        int copies = 0;
        for (JsonNode member : group.path("members")) {
            String name = target.stable(member.path("memberId").asText());
            JsonNode owned = member.path("assignment");
            JsonNode wanted = member.path("targetAssignment");
            profiles.put(name, profile(member, target));
            painter.subscribe(name, Set.of());
            painter.add(
                    name,
                    member.path("memberEpoch").asInt(),
                    tasks(owned, "activeTasks"),
                    tasks(wanted, "activeTasks"));
            for (String role : List.of("standbyTasks", "warmupTasks")) {
                painter.note(role + " of " + name, tasks(owned, role).size());
                painter.note(role + " for " + name, tasks(wanted, role).size());
                copies += tasks(wanted, role).size();
            }
            for (String role : List.of("activeTasks", "standbyTasks", "warmupTasks")) {
                Set<String> ofProcess =
                        processes.computeIfAbsent(member.path("processId").asText(), id -> new HashSet<>());
                tasks(wanted, role).stream()
                        .filter(task -> !ofProcess.add(task))
                        .forEach(task -> painter.complain(task + " twice in a process"));
            }
        }
        String facts = "error %s, group epoch %s, assignment epoch %s, %s, %s, %d copies, %s"
                .formatted(
                        group.path("errorCode").asText(),
                        group.path("groupEpoch").asText(),
                        group.path("assignmentEpoch").asText(),
                        group.path("assignorName").asText(),
                        profiles,
                        copies,
                        target.stable(group.path("topology").toString()));
        return painter.paint(facts, group.path("groupState").asText());
    }

    private static String profile(JsonNode member, RandomTarget target) {
        List<String> said = new ArrayList<>();
        for (String field : List.of(
                "instanceId",
                "rackId",
                "topologyEpoch",
                "processId",
                "userEndpoint",
                "clientTags",
                "taskOffsets",
                "taskEndOffsets",
                "isClassic")) {
            said.add(target.stable(member.path(field).toString()));
        }
        return String.join(" ", said);
    }

    /**
     * The answer to a heartbeat.
     *
     * @param endpointEpoch that the member knew of
     */
    static Words words(JsonNode answer, int endpointEpoch, RandomTarget target) {
        TreeSet<Integer> status = new TreeSet<>();
        answer.path("status").forEach(each -> status.add(each.path("statusCode").asInt()));
        List<String> endpoints = new ArrayList<>();
        answer.path("partitionsByUserEndpoint")
                .forEach(each -> endpoints.add(each.path("userEndpoint").toString()));
        endpoints.sort(null);
        String rest =
                "member %s, epoch %s, interval %s, lag %s, offsets every %s, status %s, endpoints %s %s, description %s"
                        .formatted(
                                target.stable(answer.path("memberId").asText()),
                                answer.path("memberEpoch").asText(),
                                answer.path("heartbeatIntervalMs").asText(),
                                answer.path("acceptableRecoveryLag").asText(),
                                answer.path("taskOffsetIntervalMs").asText(),
                                status,
                                answer.path("endpointInformationEpoch").asInt() == endpointEpoch ? "known" : "new",
                                endpoints,
                                answer.path("topologyDescriptionRequired").asText());
        return new Words(answer.path("errorCode").asText(), told(answer), rest);
    }

    private static String told(JsonNode answer) {
        return answer.path("activeTasks").isArray()
                ? "%s %s %s"
                        .formatted(
                                counts(answer.path("activeTasks")),
                                counts(answer.path("standbyTasks")),
                                counts(answer.path("warmupTasks")))
                : Words.AS_BEFORE;
    }

    private static String counts(JsonNode tasks) {
        Map<String, Integer> counts = new TreeMap<>();
        tasks.forEach(each -> counts.put(
                each.path("subtopologyId").asText(), each.path("partitions").size()));
        return counts.toString();
    }

    private static List<String> tasks(JsonNode assignment, String role) {
        List<String> tasks = new ArrayList<>();
        for (JsonNode each : assignment.path(role)) {
            String id = each.path("subtopologyId").asText();
            each.path("partitions").forEach(partition -> tasks.add(id + "/" + partition.asInt()));
        }
        return tasks;
    }
}
