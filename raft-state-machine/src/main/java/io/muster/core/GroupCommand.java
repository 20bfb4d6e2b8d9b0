package io.muster.core;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What clients and operators ask of a group besides heartbeats and offsets. */
public sealed interface GroupCommand extends Command {
    /** Describes the group if it is of this type; answered with {@link GroupDescription}. */
    record Describe(String groupId, GroupType type) implements GroupCommand {}

    /** Describes the group whatever its type is, claim and history included, for operators. */
    record Inspect(String groupId) implements GroupCommand {}

    /** Asks why the group rebalanced, also after it is gone; answered with {@link Response.GroupHistory}. */
    record History(String groupId) implements GroupCommand {}

    /** Deletes an empty group; NON_EMPTY_GROUP otherwise. The claim leaves first. */
    record Delete(String groupId) implements GroupCommand {}

    /** Gives the group back to the brokers: the claim leaves and Muster forgets the group. Refused while it has members. */
    record Release(String groupId) implements GroupCommand {}

    /**
     * Removes members (LeaveGroup of consumer groups, and the operator's removal). Answered with one result a member.
     *
     * @param byOperator whether it is the operator's removal, which knows every group type
     */
    record RemoveMembers(String groupId, List<MemberKey> members, boolean byOperator) implements GroupCommand {
        public RemoveMembers {
            members = List.copyOf(members);
        }
    }

    /**
     * Has a member's session end after two heartbeat intervals at most unless a heartbeat of it arrives: a leave that may be lost is
     * repeated so, since the member may have come back meanwhile. Answered with UNKNOWN_MEMBER_ID if there is no such member.
     */
    record ShortenSession(String groupId, String memberId) implements GroupCommand {}

    /**
     * Forgets the topology of an empty Streams group, so that the next member may bring any; offsets, epochs and configs stay.
     * Answered with NON_EMPTY_GROUP while it has members.
     */
    record ResetTopology(String groupId) implements GroupCommand {}

    /** A member by its id, its instance id, or both; an empty string stands for "not given". */
    record MemberKey(String memberId, String instanceId) {}

    /** Sets (value present) or removes (empty) group configs; outlives the group. */
    record AlterConfigs(String groupId, SortedMap<String, Optional<String>> changes, boolean validateOnly)
            implements GroupCommand {}

    /** Answered with the group's own configs, {@link Response.Configs}. */
    record DescribeConfigs(String groupId) implements GroupCommand {}

    /**
     * The textual form of a topology that a Streams member pushes.
     *
     * @param description the Kafka serialization (version 0) of the request's description, kept as it is; empty if it describes
     *     nothing
     */
    record UpdateTopologyDescription(String groupId, String memberId, int topologyEpoch, Bytes description)
            implements GroupCommand {}
}
