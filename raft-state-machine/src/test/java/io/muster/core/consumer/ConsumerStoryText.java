package io.muster.core.consumer;

import io.muster.core.Arrival;
import io.muster.core.CommitCommand;
import io.muster.core.CommonRecord;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.Decision;
import io.muster.core.GroupDescription;
import io.muster.core.GroupRecord;
import io.muster.core.GroupStory;
import io.muster.core.HistoryEntry;
import io.muster.core.InternalCommand;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.core.TimerChange;
import io.muster.core.TimerKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Writes down what a decision did, briefly; remembers the epochs that members were told. */
final class ConsumerStoryText {
    private static final List<String> TOPICS = List.of("foo", "bar", "baz");

    private final Map<String, Integer> epochs = new HashMap<>();

    int epochOf(String memberId) {
        return epochs.getOrDefault(memberId, 1);
    }

    List<String> lines(GroupStory.Scene scene) {
        Decision decision = scene.decision();
        List<String> lines = new ArrayList<>();
        decision.records().forEach(record -> lines.add("+ " + record(record)));
        decision.timers().stream()
                .filter(change -> change.key().kind() == TimerKey.Kind.REBALANCE)
                .forEach(change -> lines.add("@ " + timer(change)));
        decision.effects().forEach(effect -> lines.add("! " + GroupStory.words(effect)));
        decision.replies().stream()
                .filter(reply -> !(scene.arrivals().get(reply.arrival()).command() instanceof InternalCommand))
                .forEach(reply ->
                        lines.add(sender(scene.arrivals().get(reply.arrival())) + ": " + response(reply.response())));
        decision.waiting().forEach(index -> lines.add(sender(scene.arrivals().get(index)) + " waits"));
        if (!scene.arrivals().isEmpty() && lines.isEmpty()) {
            lines.add("-");
        }
        if (!decision.topicsNeeded().isEmpty()) {
            lines.add("needs " + decision.topicsNeeded());
        }
        return lines;
    }

    private static String sender(Arrival arrival) {
        if (arrival.command() instanceof ConsumerHeartbeat heartbeat) {
            return heartbeat.memberId();
        }
        if (arrival.command() instanceof CommitCommand.Admit admit) {
            return "commit " + admit.admissionId();
        }
        return arrival.command().getClass().getSimpleName();
    }

    private static String record(GroupRecord record) {
        if (record instanceof ConsumerGroupRecord.GroupSet set) {
            return "group: epoch " + set.groupEpoch() + ", assignment " + set.assignmentEpoch();
        } else if (record instanceof ConsumerGroupRecord.MemberSet set) {
            return "member: " + set.memberId() + (set.instanceId() == null ? "" : " as " + set.instanceId()) + " reads "
                    + set.subscribedTopicNames();
        } else if (record instanceof ConsumerGroupRecord.MemberRemoved removed) {
            return "gone: " + removed.memberId();
        } else if (record instanceof ConsumerGroupRecord.TargetSet set) {
            return "target: " + set.memberId() + " " + partitions(set.partitions());
        } else if (record instanceof ConsumerGroupRecord.CurrentSet set) {
            String revoking =
                    set.pendingRevocation().isEmpty() ? "" : ", gives up " + partitions(set.pendingRevocation());
            return "current: " + set.memberId() + " epoch " + set.memberEpoch() + " after " + set.previousMemberEpoch()
                    + ", " + partitions(set.assigned()) + revoking;
        } else if (record instanceof CommonRecord.HistoryAppended appended) {
            return "history: " + history(appended.entry());
        } else if (record instanceof CommonRecord.ClaimSet set) {
            return "claim: " + set.claim().getClass().getSimpleName();
        } else if (record instanceof CommonRecord.CommitConnectionSet set) {
            return "commits: " + set.memberId() + " by " + set.connection().id();
        } else if (record instanceof CommonRecord.TopicBasisSet set) {
            return "basis: "
                    + set.topics().values().stream()
                            .map(topic -> topic.name() + "=" + topic.partitions()
                                    + (topic.racks().isKnown() ? " in " + topic.racks() : ""))
                            .toList();
        }
        return record.toString();
    }

    private static String history(HistoryEntry entry) {
        String words = entry.groupEpoch() + " " + entry.reason() + " " + entry.memberId() + " " + entry.detail();
        return words.strip();
    }

    private static String timer(TimerChange change) {
        String what = change.key().kind() + " " + change.key().subject();
        return change instanceof TimerChange.Arm arm ? what + " in " + arm.delayMillis() : what + " cancelled";
    }

    private String response(Response response) {
        if (response instanceof Response.Refused refused) {
            return refused.error() + " " + refused.message();
        } else if (response instanceof Response.ConsumerHeartbeatAnswer answer) {
            epochs.put(answer.memberId(), answer.memberEpoch());
            Partitions<UUID> assignment = answer.assignment();
            String toResolve = answer.patternsToResolve().isEmpty() ? "" : ", resolve " + answer.patternsToResolve();
            return "epoch " + answer.memberEpoch() + (assignment == null ? "" : ", " + partitions(assignment))
                    + toResolve;
        } else if (response instanceof GroupDescription.Consumer description) {
            return description(description);
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

    private static String description(GroupDescription.Consumer description) {
        List<String> members = description.members().stream()
                .map(member -> member.memberId() + " epoch " + member.memberEpoch() + " has "
                        + partitions(member.assignment()) + " of " + partitions(member.targetAssignment()))
                .toList();
        return description.state().kafkaName() + ", epoch " + description.groupEpoch() + ", assignment "
                + description.assignmentEpoch() + ", " + description.assignorName() + ", " + members;
    }

    private static String partitions(Partitions<UUID> partitions) {
        List<String> words = new ArrayList<>();
        for (String topic : TOPICS) {
            var numbers = partitions.byKey().get(GroupStory.idOf(topic));
            if (numbers != null) {
                words.add(topic + numbers);
            }
        }
        return words.isEmpty() ? "nothing" : String.join(" ", words);
    }
}
