package io.muster.core.consumer;

import com.google.re2j.PatternSyntaxException;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupError;
import io.muster.core.Response.Refused;
import io.muster.core.TopicPatterns;
import io.muster.core.assignor.PartitionAssignors;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is wrong with a heartbeat itself, whatever group it is for; checked in Kafka's order. */
final class ConsumerHeartbeatValidation {
    private ConsumerHeartbeatValidation() {}

    static Optional<Refused> refusal(ConsumerHeartbeat heartbeat) {
        return emptyStrings(heartbeat).or(() -> epoch(heartbeat)).or(() -> assignor(heartbeat.serverAssignor()));
    }

    private static Optional<Refused> emptyStrings(ConsumerHeartbeat heartbeat) {
        boolean memberNeeded = heartbeat.apiVersion() >= 1 || !heartbeat.joins();
        return unless(!memberNeeded || !isBlank(heartbeat.memberId()), "MemberId can't be empty.")
                .or(() -> unless(!isBlank(heartbeat.groupId()), "GroupId can't be empty."))
                .or(() -> unless(!isBlank(heartbeat.instanceId()), "InstanceId can't be empty."))
                .or(() -> unless(!isBlank(heartbeat.rackId()), "RackId can't be empty."));
    }

    private static Optional<Refused> epoch(ConsumerHeartbeat heartbeat) {
        if (heartbeat.joins()) {
            return join(heartbeat);
        }
        if (heartbeat.memberEpoch() == ConsumerHeartbeat.TEMPORARY_LEAVE_EPOCH) {
            return unless(heartbeat.instanceId() != null, "InstanceId can't be null.");
        }
        return unless(heartbeat.memberEpoch() > ConsumerHeartbeat.TEMPORARY_LEAVE_EPOCH, "MemberEpoch is invalid.");
    }

    private static Optional<Refused> join(ConsumerHeartbeat heartbeat) {
        boolean subscribes = heartbeat.subscribedTopicNames() != null || heartbeat.subscribedTopicRegex() != null;
        return unless(heartbeat.rebalanceTimeoutMillis() != -1, "RebalanceTimeoutMs must be provided in first request.")
                .or(() -> unless(
                        heartbeat.ownedPartitions() != null
                                && heartbeat.ownedPartitions().isEmpty(),
                        "TopicPartitions must be empty when (re-)joining."))
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

    /** As Kafka trims: spaces of other scripts count as characters. */
    private static boolean isBlank(@Nullable String value) {
        return value != null && value.trim().isEmpty();
    }

    private static Optional<Refused> unless(boolean fine, String message) {
        return fine ? Optional.empty() : Optional.of(new Refused(GroupError.INVALID_REQUEST, message));
    }
}
