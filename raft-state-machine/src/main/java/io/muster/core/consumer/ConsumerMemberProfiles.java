package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.MemberSet;
import io.muster.core.ConsumerHeartbeat;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What members tell about themselves, heartbeat by heartbeat. */
final class ConsumerMemberProfiles {
    private ConsumerMemberProfiles() {}

    static MemberSet joined(ConsumerHeartbeat heartbeat) {
        return updated(
                new MemberSet(heartbeat.memberId(), null, null, heartbeat.client(), -1, List.of(), "", null),
                heartbeat);
    }

    /** The profile after this heartbeat, under the heartbeat's member id. */
    static MemberSet updated(MemberSet before, ConsumerHeartbeat heartbeat) {
        List<String> names = heartbeat.subscribedTopicNames();
        String regex = heartbeat.subscribedTopicRegex();
        return new MemberSet(
                heartbeat.memberId(),
                latest(heartbeat.instanceId(), before.instanceId()),
                latest(heartbeat.rackId(), before.rackId()),
                heartbeat.client(),
                heartbeat.rebalanceTimeoutMillis() == -1
                        ? before.rebalanceTimeoutMillis()
                        : heartbeat.rebalanceTimeoutMillis(),
                names == null
                        ? before.subscribedTopicNames()
                        : names.stream().distinct().sorted().toList(),
                regex == null ? before.subscribedTopicRegex() : regex,
                latest(heartbeat.serverAssignor(), before.serverAssignor()));
    }

    static MemberSet renamed(MemberSet profile, String memberId) {
        return new MemberSet(
                memberId,
                profile.instanceId(),
                profile.rackId(),
                profile.client(),
                profile.rebalanceTimeoutMillis(),
                profile.subscribedTopicNames(),
                profile.subscribedTopicRegex(),
                profile.serverAssignor());
    }

    /**
     * What differs between two profiles so that a new target is due, in words; empty if nothing does. A pattern does not count
     * before it is resolved.
     */
    static String targetDifference(MemberSet before, MemberSet after, Predicate<String> isResolved) {
        List<String> changed = new ArrayList<>();
        if (!before.subscribedTopicNames().equals(after.subscribedTopicNames())) {
            changed.add("subscription is " + after.subscribedTopicNames());
        }
        String pattern = after.subscribedTopicRegex();
        boolean patternChanged = !before.subscribedTopicRegex().equals(pattern);
        if (patternChanged && pattern.isEmpty()) {
            changed.add("no pattern any more");
        } else if (patternChanged && isResolved.test(pattern)) {
            changed.add("pattern is " + pattern);
        } else if (patternChanged && !changed.isEmpty()) {
            changed.add("pattern " + pattern + " is looked up");
        }
        return String.join(", ", changed);
    }

    private static <T> @Nullable T latest(@Nullable T sent, @Nullable T known) {
        return sent == null ? known : sent;
    }
}
