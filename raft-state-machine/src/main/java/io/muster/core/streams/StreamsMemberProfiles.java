package io.muster.core.streams;

import io.muster.core.ClientInfo;
import io.muster.core.Endpoint;
import io.muster.core.MemberProfile;
import io.muster.core.MemberProfile.Details;
import io.muster.core.StreamsGroupRecord.MemberSet;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.StreamsHeartbeat.ProcessDetails;
import io.muster.core.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What members tell about themselves, heartbeat by heartbeat. */
final class StreamsMemberProfiles {
    private StreamsMemberProfiles() {}

    static MemberSet joined(StreamsHeartbeat heartbeat) {
        return updated(new MemberSet(Details.of(heartbeat), -1, "", null, new TreeMap<>()), heartbeat);
    }

    /** The profile after this heartbeat, under the heartbeat's member id. */
    static MemberSet updated(MemberSet before, StreamsHeartbeat heartbeat) {
        Topology topology = heartbeat.topology();
        ProcessDetails process = heartbeat.process();
        return new MemberSet(
                before.details().updatedBy(heartbeat),
                topology == null ? before.topologyEpoch() : topology.epoch(),
                process.processId() == null ? before.processId() : process.processId(),
                heartbeat.joins()
                        ? process.userEndpoint()
                        : MemberProfile.latest(process.userEndpoint(), before.userEndpoint()),
                process.clientTags() == null ? before.clientTags() : process.clientTags());
    }

    /** Whether something differs that a new target follows; the rest of what a static member says of itself moves no tasks. */
    static boolean differsForTasks(MemberSet before, MemberSet after) {
        return before.topologyEpoch() != after.topologyEpoch()
                || !Objects.equals(before.rackId(), after.rackId())
                || !before.clientTags().equals(after.clientTags())
                || !before.processId().equals(after.processId());
    }

    /** What differs, in words. */
    static String difference(MemberSet before, MemberSet after) {
        List<String> changed = new ArrayList<>();
        add(changed, "instance id is", before.instanceId(), after.instanceId());
        add(changed, "rack id is", before.rackId(), after.rackId());
        add(changed, "client is", words(before.client()), words(after.client()));
        add(changed, "rebalance timeout is", before.rebalanceTimeoutMillis(), after.rebalanceTimeoutMillis());
        add(changed, "topology epoch is", before.topologyEpoch(), after.topologyEpoch());
        add(changed, "process id is", before.processId(), after.processId());
        add(changed, "user endpoint is", words(before.userEndpoint()), words(after.userEndpoint()));
        add(changed, "client tags are", before.clientTags(), after.clientTags());
        return String.join(", ", changed);
    }

    private static String words(ClientInfo client) {
        return client.clientId() + " at " + client.clientHost();
    }

    private static @Nullable String words(@Nullable Endpoint endpoint) {
        return endpoint == null ? null : endpoint.host() + ":" + endpoint.port();
    }

    private static void add(List<String> changed, String what, @Nullable Object before, @Nullable Object after) {
        if (!Objects.equals(before, after)) {
            changed.add(
                    what + " " + (after == null ? "none" : after) + (before == null ? "" : " instead of " + before));
        }
    }
}
