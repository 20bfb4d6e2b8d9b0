package io.muster.core.streams;

import io.muster.core.Bytes;
import io.muster.core.Command;
import io.muster.core.GroupDescription;
import io.muster.core.GroupInspection;
import io.muster.core.GroupRecord;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.core.StoryText;
import io.muster.core.StreamsGroupRecord;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.TaskAssignment;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Collectors;

/** How what only Streams groups have is written in stories. */
final class StreamsStoryWords implements StoryText.Words {
    @Override
    public Optional<String> record(GroupRecord record) {
        if (record instanceof StreamsGroupRecord.GroupSet set) {
            String shutdown = set.shutdownMemberId().isEmpty() ? "" : ", shutdown by " + set.shutdownMemberId();
            return Optional.of("group: epoch " + set.groupEpoch() + ", assignment " + set.assignmentEpoch()
                    + ", topology " + set.validatedTopologyEpoch() + shutdown);
        } else if (record instanceof StreamsGroupRecord.TopologySet set) {
            return Optional.of("topology: epoch " + set.topology().epoch());
        } else if (record instanceof StreamsGroupRecord.MemberSet set) {
            return Optional.of("member: " + set.memberId() + (set.instanceId() == null ? "" : " as " + set.instanceId())
                    + " in " + set.processId());
        } else if (record instanceof StreamsGroupRecord.TargetSet set) {
            return Optional.of("target: " + set.memberId() + " " + tasks(set.tasks()));
        } else if (record instanceof StreamsGroupRecord.CurrentSet set) {
            String revoking = set.pendingRevocation().isEmpty() ? "" : ", gives up " + tasks(set.pendingRevocation());
            return Optional.of("current: " + set.memberId() + " epoch " + set.memberEpoch() + " after "
                    + set.previousMemberEpoch() + ", " + tasks(set.assigned()) + revoking);
        }
        return Optional.empty();
    }

    @Override
    public Optional<String> response(Response response, Command command) {
        if (response instanceof Response.StreamsHeartbeatAnswer answer) {
            return Optional.of(answer(answer, (StreamsHeartbeat) command));
        } else if (response instanceof GroupDescription.Streams description) {
            return Optional.of(description(description));
        } else if (response instanceof GroupInspection inspection) {
            return Optional.of(
                    inspection.waiting().isEmpty() ? "waits for nothing" : String.join("; ", inspection.waiting()));
        }
        return Optional.empty();
    }

    private static String answer(Response.StreamsHeartbeatAnswer answer, StreamsHeartbeat heartbeat) {
        StringBuilder line = new StringBuilder("epoch " + answer.memberEpoch());
        if (answer.assignment() != null) {
            line.append(", ").append(tasks(answer.assignment()));
        }
        if (answer.followUps().topologyDescriptionRequired()) {
            line.append(", shall describe its topology");
        }
        answer.status()
                .forEach(status -> line.append(", ")
                        .append(status.code())
                        .append(" (")
                        .append(status.detail())
                        .append(')'));
        if (!answer.followUps().endOffsetsToRead().isEmpty()) {
            line.append(", read ends of ")
                    .append(answer.followUps().endOffsetsToRead().byKey());
        }
        if (!answer.followUps().topicsToCreate().isEmpty()) {
            line.append(", create ")
                    .append(answer.followUps().topicsToCreate().stream()
                            .map(topic -> topic.name() + "=" + topic.partitions())
                            .toList());
        }
        if (answer.endpointInformation().epoch() != heartbeat.endpointInformationEpoch()) {
            line.append(", endpoints ").append(answer.endpointInformation().epoch());
        }
        if (answer.endpointInformation().endpoints() != null) {
            answer.endpointInformation()
                    .endpoints()
                    .forEach(endpoint -> line.append(", at ")
                            .append(endpoint.endpoint().host())
                            .append(' ')
                            .append(
                                    endpoint.active().isEmpty()
                                            ? "nothing"
                                            : endpoint.active().stream()
                                                    .map(StreamsStoryWords::partitions)
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
