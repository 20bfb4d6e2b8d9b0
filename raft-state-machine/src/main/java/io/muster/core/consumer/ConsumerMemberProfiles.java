package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.MemberSet;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.MemberProfile;
import io.muster.core.MemberProfile.Details;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What members tell about themselves, heartbeat by heartbeat. */
final class ConsumerMemberProfiles {
    private ConsumerMemberProfiles() {}

    static MemberSet joined(ConsumerHeartbeat heartbeat) {
        return updated(new MemberSet(Details.of(heartbeat), List.of(), "", null), heartbeat);
    }

    /** The profile after this heartbeat, under the heartbeat's member id. */
    static MemberSet updated(MemberSet before, ConsumerHeartbeat heartbeat) {
        List<String> names = heartbeat.subscribedTopicNames();
        String regex = heartbeat.subscribedTopicRegex();
        return new MemberSet(
                before.details().updatedBy(heartbeat),
                names == null
                        ? before.subscribedTopicNames()
                        : names.stream().distinct().sorted().toList(),
                regex == null ? before.subscribedTopicRegex() : regex,
                MemberProfile.latest(heartbeat.serverAssignor(), before.serverAssignor()));
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
}
