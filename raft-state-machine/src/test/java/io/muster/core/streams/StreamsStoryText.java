package io.muster.core.streams;

import io.muster.core.Arrival;
import io.muster.core.Bytes;
import io.muster.core.CommitCommand;
import io.muster.core.CommonRecord;
import io.muster.core.Decision;
import io.muster.core.GroupDescription;
import io.muster.core.GroupInspection;
import io.muster.core.GroupRecord;
import io.muster.core.GroupStory;
import io.muster.core.HistoryEntry;
import io.muster.core.InternalCommand;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.core.StreamsGroupRecord;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.TaskAssignment;
import io.muster.core.TimerChange;
import io.muster.core.TimerKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes down what a decision did, briefly; remembers the epochs that members were told. */
final class StreamsStoryText {
    private final Map<String, Integer> epochs = new HashMap<>();

    int epochOf(String memberId) {
        return epochs.getOrDefault(memberId, 1);
    }

    List<String> lines(GroupStory.Scene scene) {
        Decision decision = scene.decision();
        List<String> lines = new ArrayList<>();
        decision.records().forEach(record -> lines.add("+ " + record(record)));
        decision.timers().stream()
                .filter(change -> change.key().kind() != TimerKey.Kind.SESSION && !isClaims(change.key()))
                .forEach(change -> lines.add("@ " + timer(change)));
        decision.effects().forEach(effect -> lines.add("! " + GroupStory.words(effect)));
        decision.replies().stream()
                .filter(reply -> !(scene.arrivals().get(reply.arrival()).command() instanceof InternalCommand))
                .forEach(reply -> lines.add(sender(scene.arrivals().get(reply.arrival())) + ": "
                        + response(reply.response(), scene.arrivals().get(reply.arrival()))));
        decision.waiting().forEach(index -> lines.add(sender(scene.arrivals().get(index)) + " waits"));
        if (!scene.arrivals().isEmpty() && lines.isEmpty()) {
            lines.add("-");
        }
        if (!decision.topicsNeeded().isEmpty()) {
            lines.add("needs " + decision.topicsNeeded());
        }
        return lines;
    }

    private static boolean isClaims(TimerKey key) {
        return key.kind().name().startsWith("CLAIM");
    }

    private static String sender(Arrival arrival) {
        if (arrival.command() instanceof StreamsHeartbeat heartbeat) {
            return heartbeat.memberId();
        }
        if (arrival.command() instanceof CommitCommand.Admit admit) {
            return "commit " + admit.admissionId();
        }
        return arrival.command().getClass().getSimpleName();
    }

    private static String record(GroupRecord record) {
        if (record instanceof StreamsGroupRecord.GroupSet set) {
            String shutdown = set.shutdownMemberId().isEmpty() ? "" : ", shutdown by " + set.shutdownMemberId();
            return "group: epoch " + set.groupEpoch() + ", assignment " + set.assignmentEpoch() + ", topology "
                    + set.validatedTopologyEpoch() + shutdown;
        } else if (record instanceof StreamsGroupRecord.TopologySet set) {
            return "topology: epoch " + set.topology().epoch();
        } else if (record instanceof StreamsGroupRecord.MemberSet set) {
            return "member: " + set.memberId() + (set.instanceId() == null ? "" : " as " + set.instanceId()) + " in "
                    + set.processId();
        } else if (record instanceof StreamsGroupRecord.MemberRemoved removed) {
            return "gone: " + removed.memberId();
        } else if (record instanceof StreamsGroupRecord.TargetSet set) {
            return "target: " + set.memberId() + " " + tasks(set.tasks());
        } else if (record instanceof StreamsGroupRecord.CurrentSet set) {
            String revoking = set.pendingRevocation().isEmpty() ? "" : ", gives up " + tasks(set.pendingRevocation());
            return "current: " + set.memberId() + " epoch " + set.memberEpoch() + " after " + set.previousMemberEpoch()
                    + ", " + tasks(set.assigned()) + revoking;
        } else if (record instanceof CommonRecord.HistoryAppended appended) {
            return "history: " + history(appended.entry());
        } else if (record instanceof CommonRecord.ClaimSet set) {
            return "claim: " + set.claim().getClass().getSimpleName();
        } else if (record instanceof CommonRecord.CommitConnectionSet set) {
            return "commits: " + set.memberId() + " by " + set.connection().id();
        } else if (record instanceof CommonRecord.TopicBasisSet set) {
            return "basis: "
                    + set.topics().values().stream()
                            .map(topic -> topic.name() + "=" + topic.partitions())
                            .toList();
        }
        return record.toString();
    }

    private static String history(HistoryEntry entry) {
        String words = entry.groupEpoch() + " " + entry.reason() + " " + entry.memberId() + " " + entry.detail();
        return words.strip();
    }

    private static String timer(TimerChange change) {
        String what = (change.key().kind() + " " + change.key().subject()).strip();
        return change instanceof TimerChange.Arm arm ? what + " in " + arm.delayMillis() : what + " cancelled";
    }

    private String response(Response response, Arrival arrival) {
        if (response instanceof Response.Refused refused) {
            return refused.error() + " " + refused.message();
        } else if (response instanceof Response.StreamsHeartbeatAnswer answer) {
            epochs.put(answer.memberId(), answer.memberEpoch());
            return answer(answer, (StreamsHeartbeat) arrival.command());
        } else if (response instanceof GroupDescription.Streams description) {
            return description(description);
        } else if (response instanceof GroupInspection inspection) {
            return inspection.waiting().isEmpty() ? "waits for nothing" : String.join("; ", inspection.waiting());
        } else if (response instanceof Response.CommitAdmitted admitted) {
            return "admitted as " + admitted.identity().memberId();
        } else if (response instanceof Response.CommitRefused refused) {
            return refused.error().toString();
        } else if (response instanceof Response.MembersRemoved removed) {
            return removed.results().stream()
                    .map(result ->
                            result.error() == null ? "removed" : result.error().toString())
                    .toList()
                    .toString();
        }
        return "done";
    }

    private static String answer(Response.StreamsHeartbeatAnswer answer, StreamsHeartbeat heartbeat) {
        StringBuilder line = new StringBuilder("epoch " + answer.memberEpoch());
        if (answer.assignment() != null) {
            line.append(", ").append(tasks(answer.assignment()));
        }
        if (answer.topologyDescriptionRequired()) {
            line.append(", shall describe its topology");
        }
        answer.status()
                .forEach(status -> line.append(", ")
                        .append(status.code())
                        .append(" (")
                        .append(status.detail())
                        .append(')'));
        if (!answer.endOffsetsToRead().isEmpty()) {
            line.append(", read ends of ").append(answer.endOffsetsToRead().byKey());
        }
        if (!answer.topicsToCreate().isEmpty()) {
            line.append(", create ")
                    .append(answer.topicsToCreate().stream()
                            .map(topic -> topic.name() + "=" + topic.partitions())
                            .toList());
        }
        if (answer.endpointInformationEpoch() != heartbeat.endpointInformationEpoch()) {
            line.append(", endpoints ").append(answer.endpointInformationEpoch());
        }
        if (answer.endpoints() != null) {
            answer.endpoints()
                    .forEach(endpoint -> line.append(", at ")
                            .append(endpoint.endpoint().host())
                            .append(' ')
                            .append(
                                    endpoint.active().isEmpty()
                                            ? "nothing"
                                            : endpoint.active().stream()
                                                    .map(StreamsStoryText::partitions)
                                                    .collect(Collectors.joining(" and "))));
        }
        return line.toString();
    }

    private static String description(GroupDescription.Streams description) {
        String members = description.members().stream()
                .map(member -> member.memberId() + " epoch " + member.memberEpoch() + " has "
                        + tasks(member.assignment()) + " of " + tasks(member.targetAssignment()))
                .toList()
                .toString();
        return description.state().kafkaName() + ", epoch " + description.groupEpoch() + ", assignment "
                + description.assignmentEpoch() + ", " + members + described(description);
    }

    private static String described(GroupDescription.Streams description) {
        return description.topologyDescription().equals(Bytes.EMPTY)
                ? ""
                : ", described as "
                        + new String(description.topologyDescription().toArray(), StandardCharsets.UTF_8);
    }

    private static String tasks(TaskAssignment tasks) {
        String standby = tasks.standby().isEmpty() ? "" : " keeps " + partitions(tasks.standby());
        String warmup = tasks.warmup().isEmpty() ? "" : " warms " + partitions(tasks.warmup());
        return "runs " + partitions(tasks.active()) + standby + warmup;
    }

    private static String partitions(Partitions<String> partitions) {
        return partitions.isEmpty() ? "nothing" : partitions.byKey().toString();
    }
}
