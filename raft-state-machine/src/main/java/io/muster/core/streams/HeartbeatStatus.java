package io.muster.core.streams;

import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.Response.StreamsStatus;
import io.muster.core.Response.StreamsStatus.Code;
import io.muster.core.StreamsHeartbeat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a member or its operator should know besides its tasks. */
final class HeartbeatStatus {
    private HeartbeatStatus() {}

    static List<StreamsStatus> of(
            GroupDraft draft, StreamsHeartbeat heartbeat, StreamsMember member, TopologyStanding standing) {
        ConfiguredTopology configured = standing.heardBy(member.profile().topologyEpoch());
        List<StreamsStatus> status = new ArrayList<>();
        addStaleTopology(status, StreamsGroup.of(draft), member);
        configured.problem().ifPresent(problem -> status.add(withFailures(draft, configured, problem)));
        addShutdown(status, StreamsGroup.of(draft));
        addDelay(status, draft);
        if (heartbeat.apiVersion() >= 1) {
            addMissingTags(status, draft, member);
        }
        status.sort(Comparator.comparing(StreamsStatus::code));
        return status;
    }

    private static void addStaleTopology(List<StreamsStatus> status, StreamsGroup group, StreamsMember member) {
        int mine = member.profile().topologyEpoch();
        group.topology()
                .filter(topology -> mine < topology.epoch())
                .ifPresent(topology -> status.add(new StreamsStatus(
                        Code.STALE_TOPOLOGY,
                        "The member's topology epoch " + mine + " is behind the group's topology epoch "
                                + topology.epoch() + ".")));
    }

    private static StreamsStatus withFailures(GroupDraft draft, ConfiguredTopology configured, StreamsStatus problem) {
        return new StreamsStatus(
                problem.code(), problem.detail() + InternalTopics.failures(draft.memory(), configured));
    }

    private static void addShutdown(List<StreamsStatus> status, StreamsGroup group) {
        String member = group.status().shutdownMemberId();
        if (!member.isEmpty()) {
            status.add(new StreamsStatus(
                    Code.SHUTDOWN_APPLICATION,
                    "Streams group member " + member
                            + " encountered a fatal error and requested a shutdown for the entire application."));
        }
    }

    private static void addDelay(List<StreamsStatus> status, GroupDraft draft) {
        if (InitialDelay.runs(draft)) {
            status.add(new StreamsStatus(
                    Code.ASSIGNMENT_DELAYED, "Assignment delayed due to the configured initial rebalance delay."));
        } else if (StreamsTargetAssignments.isBehind(draft)) {
            status.add(new StreamsStatus(
                    Code.ASSIGNMENT_DELAYED, "Assignment delayed due to the configured assignment interval."));
        }
    }

    private static void addMissingTags(List<StreamsStatus> status, GroupDraft draft, StreamsMember member) {
        List<String> missing = GroupConfigs.rackAwareTags(draft.group()).stream()
                .filter(tag -> !member.profile().clientTags().containsKey(tag))
                .toList();
        if (!missing.isEmpty()) {
            status.add(new StreamsStatus(
                    Code.MISSING_CLIENT_TAGS,
                    "Missing required client tags for rack-aware standby assignment: " + missing
                            + ". Configure them via 'client.tag.<tagKey>' in your Streams config."));
        }
    }
}
