package io.muster.core.consumer;

import io.muster.core.Command;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.GroupDescription;
import io.muster.core.GroupRecord;
import io.muster.core.GroupStory;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.core.StoryText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** How what only consumer groups have is written in stories. */
final class ConsumerStoryWords implements StoryText.Words {
    private static final List<String> TOPICS = List.of("foo", "bar", "baz");

    @Override
    public Optional<String> record(GroupRecord record) {
        if (record instanceof ConsumerGroupRecord.GroupSet set) {
            return Optional.of("group: epoch " + set.groupEpoch() + ", assignment " + set.assignmentEpoch());
        } else if (record instanceof ConsumerGroupRecord.MemberSet set) {
            return Optional.of("member: " + set.memberId() + (set.instanceId() == null ? "" : " as " + set.instanceId())
                    + " reads " + set.subscribedTopicNames());
        } else if (record instanceof ConsumerGroupRecord.TargetSet set) {
            return Optional.of("target: " + set.memberId() + " " + partitions(set.partitions()));
        } else if (record instanceof ConsumerGroupRecord.CurrentSet set) {
            String revoking =
                    set.pendingRevocation().isEmpty() ? "" : ", gives up " + partitions(set.pendingRevocation());
            return Optional.of("current: " + set.memberId() + " epoch " + set.memberEpoch() + " after "
                    + set.previousMemberEpoch() + ", " + partitions(set.assigned()) + revoking);
        }
        return Optional.empty();
    }

    @Override
    public Optional<String> response(Response response, Command command) {
        if (response instanceof Response.ConsumerHeartbeatAnswer answer) {
            Partitions<UUID> assignment = answer.assignment();
            String toResolve = answer.patternsToResolve().isEmpty() ? "" : ", resolve " + answer.patternsToResolve();
            return Optional.of("epoch " + answer.memberEpoch()
                    + (assignment == null ? "" : ", " + partitions(assignment)) + toResolve);
        }
        return response instanceof GroupDescription.Consumer description
                ? Optional.of(description(description))
                : Optional.empty();
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
