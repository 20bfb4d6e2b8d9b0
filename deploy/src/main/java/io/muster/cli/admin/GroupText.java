package io.muster.cli.admin;

import io.muster.core.GroupDescription;
import io.muster.core.GroupDescription.ConsumerMember;
import io.muster.core.GroupDescription.StreamsMember;
import io.muster.core.GroupInspection;
import io.muster.core.GroupType;
import io.muster.core.HistoryEntry;
import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.UUID;

/** Groups as text and tables. */
final class GroupText {
    private static final String NL = System.lineSeparator();

    private GroupText() {}

    static String name(GroupType type) {
        return switch (type) {
            case CONSUMER -> "consumer";
            case STREAMS -> "streams";
        };
    }

    static String describe(GroupInspection inspection) {
        GroupDescription group = inspection.description();
        StringBuilder text = new StringBuilder();
        text.append("Group:            ")
                .append(group.groupId())
                .append(" (")
                .append(typeOf(group))
                .append(')')
                .append(NL);
        text.append("State:            ").append(group.state().kafkaName()).append(NL);
        text.append("Group epoch:      ").append(group.groupEpoch()).append(NL);
        text.append("Assignment epoch: ").append(group.assignmentEpoch()).append(NL);
        text.append("Claim:            ").append(inspection.claim()).append(NL);
        inspection
                .waiting()
                .forEach(each -> text.append("Waits for:        ").append(each).append(NL));
        List<HistoryEntry> history = inspection.history();
        if (!history.isEmpty()) {
            text.append("Last rebalance:   ")
                    .append(sentence(lastCause(history)))
                    .append(NL);
        }
        return text.append(NL).append(members(group)).toString();
    }

    /** @param entries oldest first */
    static String history(String groupId, List<HistoryEntry> entries) {
        List<HistoryEntry> newestFirst = new ArrayList<>(entries);
        Collections.reverse(newestFirst);
        Table table = new Table("TIME", "EPOCH", "REASON", "MEMBER", "DETAIL");
        newestFirst.forEach(entry -> table.row(
                Instant.ofEpochMilli(entry.atMillis()),
                entry.groupEpoch(),
                reason(entry),
                orDash(entry.memberId()),
                orDash(entry.detail())));
        return "Group " + groupId + " " + end(newestFirst) + NL + NL + table;
    }

    private static String end(List<HistoryEntry> newestFirst) {
        if (newestFirst.isEmpty()) {
            return "never rebalanced.";
        }
        HistoryEntry last = newestFirst.get(0);
        if (last.reason() == HistoryEntry.Reason.DELETED) {
            String detail = last.detail().isEmpty() ? "" : ": " + last.detail();
            return "was deleted at " + Instant.ofEpochMilli(last.atMillis()) + detail;
        }
        List<HistoryEntry> oldestFirst = new ArrayList<>(newestFirst);
        Collections.reverse(oldestFirst);
        return "last rebalanced " + sentence(lastCause(oldestFirst));
    }

    /** What raised the last epoch: later entries about the same epoch raised nothing. */
    private static HistoryEntry lastCause(List<HistoryEntry> oldestFirst) {
        HistoryEntry cause = oldestFirst.get(oldestFirst.size() - 1);
        for (int at = oldestFirst.size() - 2; at >= 0; at--) {
            HistoryEntry earlier = oldestFirst.get(at);
            boolean isSame =
                    earlier.groupEpoch() == cause.groupEpoch() && earlier.reason() != HistoryEntry.Reason.DELETED;
            if (!isSame) {
                return cause;
            }
            cause = earlier;
        }
        return cause;
    }

    private static String sentence(HistoryEntry entry) {
        String member = entry.memberId().isEmpty() ? "" : " (member " + entry.memberId() + ")";
        String detail = entry.detail().isEmpty() ? "" : ": " + entry.detail();
        return "at " + Instant.ofEpochMilli(entry.atMillis()) + " to epoch " + entry.groupEpoch() + ", because: "
                + reason(entry) + member + detail;
    }

    private static String reason(HistoryEntry entry) {
        return entry.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    static String typeOf(GroupDescription group) {
        return name(group instanceof GroupDescription.Consumer ? GroupType.CONSUMER : GroupType.STREAMS);
    }

    private static String members(GroupDescription group) {
        Table table = new Table("MEMBER", "INSTANCE", "CLIENT", "HOST", "EPOCH", "CURRENT", "TARGET");
        if (group instanceof GroupDescription.Consumer consumer) {
            for (ConsumerMember member : consumer.members()) {
                table.row(
                        member.memberId(),
                        orDash(member.instanceId() == null ? "" : member.instanceId()),
                        orDash(member.client().clientId()),
                        member.client().clientHost(),
                        member.memberEpoch(),
                        orDash(names(member.assignment(), consumer.topicNames())),
                        orDash(names(member.targetAssignment(), consumer.topicNames())));
            }
        } else if (group instanceof GroupDescription.Streams streams) {
            for (StreamsMember member : streams.members()) {
                table.row(
                        member.memberId(),
                        orDash(member.instanceId() == null ? "" : member.instanceId()),
                        orDash(member.client().clientId()),
                        member.client().clientHost(),
                        member.memberEpoch(),
                        orDash(tasks(member.assignment())),
                        orDash(tasks(member.targetAssignment())));
            }
        }
        return table.toString();
    }

    private static String names(Partitions<UUID> partitions, SortedMap<UUID, String> topicNames) {
        List<String> parts = new ArrayList<>();
        partitions.byKey().forEach((id, numbers) -> parts.add(topicNames.getOrDefault(id, id.toString()) + numbers));
        return String.join(" ", parts);
    }

    private static String tasks(TaskAssignment tasks) {
        List<String> parts = new ArrayList<>();
        tasks.active().forEach((subtopology, number) -> parts.add(subtopology + "_" + number));
        tasks.standby().forEach((subtopology, number) -> parts.add(subtopology + "_" + number + "(standby)"));
        tasks.warmup().forEach((subtopology, number) -> parts.add(subtopology + "_" + number + "(warmup)"));
        return String.join(" ", parts);
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "-" : text;
    }
}
