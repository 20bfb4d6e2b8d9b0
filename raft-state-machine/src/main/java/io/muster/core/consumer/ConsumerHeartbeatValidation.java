package io.muster.core.consumer;

import static io.muster.core.group.HeartbeatValidation.unless;

import com.google.re2j.PatternSyntaxException;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupError;
import io.muster.core.Response.Refused;
import io.muster.core.TopicPatterns;
import io.muster.core.assignor.PartitionAssignors;
import io.muster.core.group.HeartbeatValidation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is wrong with a heartbeat itself, whatever group it is for; checked in Kafka's order. */
final class ConsumerHeartbeatValidation {
    private ConsumerHeartbeatValidation() {}

    static Optional<Refused> refusal(ConsumerHeartbeat heartbeat) {
        boolean memberIdNeeded = heartbeat.apiVersion() >= 1 || !heartbeat.joins();
        return HeartbeatValidation.emptyStrings(heartbeat, memberIdNeeded)
                .or(() -> HeartbeatValidation.epoch(heartbeat, () -> join(heartbeat), "MemberEpoch is invalid."))
                .or(() -> assignor(heartbeat.serverAssignor()));
    }

    private static Optional<Refused> join(ConsumerHeartbeat heartbeat) {
        boolean subscribes = heartbeat.subscribedTopicNames() != null || heartbeat.subscribedTopicRegex() != null;
        return unless(
                        heartbeat.ownedPartitions() != null
                                && heartbeat.ownedPartitions().isEmpty(),
                        "TopicPartitions must be empty when (re-)joining.")
                .or(() -> unless(
                        subscribes,
                        "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining."));
    }

    private static Optional<Refused> assignor(@Nullable String name) {
        if (name == null || PartitionAssignors.find(name).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new Refused(
                GroupError.UNSUPPORTED_ASSIGNOR,
                "ServerAssignor " + name + " is not supported. Supported assignors: "
                        + String.join(", ", PartitionAssignors.names()) + "."));
    }

    /** What is wrong with the pattern of a heartbeat; Kafka looks at it only once the group takes all else. */
    static Optional<Refused> patternRefusal(ConsumerHeartbeat heartbeat) {
        String regex = heartbeat.subscribedTopicRegex();
        if (heartbeat.leaves() || regex == null || regex.isEmpty()) {
            return Optional.empty();
        }
        try {
            TopicPatterns.check(regex);
            return Optional.empty();
        } catch (PatternSyntaxException e) {
            return Optional.of(new Refused(
                    GroupError.INVALID_REGULAR_EXPRESSION,
                    "SubscribedTopicRegex `" + regex + "` is not a valid regular expression: " + e.getDescription()
                            + "."));
        }
    }
}
