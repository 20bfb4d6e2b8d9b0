package io.muster.core;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a command is answered with. */
public sealed interface Response
        permits Response.Refused,
                Response.Done,
                Response.ConsumerHeartbeatAnswer,
                Response.StreamsHeartbeatAnswer,
                Response.MembersRemoved,
                Response.Configs,
                Response.CommitAdmitted,
                Response.TopicsAllowed,
                Response.GroupHistory,
                Response.CommitRefused,
                GroupDescription,
                GroupInspection {
    /** Not done, for this reason. */
    record Refused(GroupError error, String message) implements Response {}

    /** Done, and there is no more to say. */
    record Done() implements Response {}

    /**
     * @param memberEpoch -1 after a leave, -2 after a temporary one
     * @param heartbeatIntervalMillis milliseconds, 0 after a leave
     * @param assignment by topic id; null if it did not change
     * @param patternsToResolve patterns whose topics the gateway looks up on the client's own connection
     */
    record ConsumerHeartbeatAnswer(
            String memberId,
            int memberEpoch,
            int heartbeatIntervalMillis,
            @Nullable Partitions<UUID> assignment,
            SortedSet<String> patternsToResolve)
            implements Response {}

    /**
     * @param settings what the member follows from now on
     * @param status what the member or the operator should know, in Kafka's order of codes; empty if nothing
     * @param assignment null if it did not change
     * @param followUps what is to be done for the group
     */
    record StreamsHeartbeatAnswer(
            String memberId,
            int memberEpoch,
            MemberSettings settings,
            List<StreamsStatus> status,
            @Nullable TaskAssignment assignment,
            EndpointInformation endpointInformation,
            FollowUps followUps)
            implements Response {
        /** Of a heartbeat that leaves. */
        public static StreamsHeartbeatAnswer left(String memberId, int memberEpoch) {
            return new StreamsHeartbeatAnswer(
                    memberId,
                    memberEpoch,
                    MemberSettings.NONE,
                    List.of(),
                    null,
                    new EndpointInformation(0, null),
                    FollowUps.NONE);
        }

        public StreamsHeartbeatAnswer withStatus(List<StreamsStatus> next) {
            return new StreamsHeartbeatAnswer(
                    memberId, memberEpoch, settings, next, assignment, endpointInformation, followUps);
        }
    }

    /** The group's configs that a member of a Streams group follows; times are milliseconds. */
    record MemberSettings(int heartbeatIntervalMillis, int taskOffsetIntervalMillis, long acceptableRecoveryLag) {
        /** Of who is no member. */
        public static final MemberSettings NONE = new MemberSettings(0, 0, -1);
    }

    /**
     * Where interactive queries are answered.
     *
     * @param epoch the group's endpoint information epoch
     * @param endpoints by member; null if the member knows this epoch
     */
    record EndpointInformation(int epoch, @Nullable List<EndpointPartitions> endpoints) {}

    /**
     * What a heartbeat's answer asks for.
     *
     * @param topologyDescriptionRequired whether the member shall push the description of its topology
     * @param topicsToCreate internal topics that the gateway creates on the client's own connection, with final partition counts
     * @param endOffsetsToRead partitions by topic whose ends the gateway reads and reports
     */
    record FollowUps(
            boolean topologyDescriptionRequired,
            List<Topology.InternalTopic> topicsToCreate,
            Partitions<String> endOffsetsToRead) {
        public static final FollowUps NONE = new FollowUps(false, List.of(), Partitions.none());
    }

    /** A status of a Streams group; the code's meaning is Kafka's (kip-1071). */
    record StreamsStatus(Code code, String detail) {
        /** Kafka's status codes in their order, from 0. */
        public enum Code {
            STALE_TOPOLOGY,
            MISSING_SOURCE_TOPICS,
            INCORRECTLY_PARTITIONED_TOPICS,
            MISSING_INTERNAL_TOPICS,
            SHUTDOWN_APPLICATION,
            ASSIGNMENT_DELAYED,
            MISSING_CLIENT_TAGS
        }
    }

    /** The source partitions that one member serves at its endpoint, by topic name, for each subtopology of which it has tasks. */
    record EndpointPartitions(Endpoint endpoint, List<Partitions<String>> active, List<Partitions<String>> standby) {
        public EndpointPartitions {
            active = List.copyOf(active);
            standby = List.copyOf(standby);
        }
    }

    /** Answers {@link GroupCommand.RemoveMembers}: for each member, in order, the refusal or null if it was removed. */
    record MembersRemoved(List<MemberResult> results) implements Response {}

    record MemberResult(
            GroupCommand.MemberKey member, @Nullable GroupError error) {}

    /** Answers {@link GroupCommand.History}: oldest first. */
    record GroupHistory(List<HistoryEntry> entries) implements Response {
        public GroupHistory {
            entries = List.copyOf(entries);
        }
    }

    record Configs(SortedMap<String, String> configs) implements Response {}

    /** @param identity what the commit must carry upstream */
    record CommitAdmitted(ClaimIdentity identity) implements Response {}

    /**
     * A commit that was refused.
     *
     * @param claimed whether the group is Muster's at all; if not, the gateway passes the request on as it is
     */
    record CommitRefused(GroupError error, boolean claimed) implements Response {}

    /** The topics of an OffsetDelete that no member subscribes to. */
    record TopicsAllowed(SortedSet<String> allowed) implements Response {}
}
