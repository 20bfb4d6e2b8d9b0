package io.muster.gateway.kafka.order;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a request is about, as far as the order of its connection depends on it.
 *
 * @param groups that it is about; empty if it is about all groups
 * @param memberId of heartbeats only; empty if none
 * @param instanceId of heartbeats only; empty if none
 * @param passes whether the request goes upstream as it is, as things stand; upstream keeps the order of such requests by itself
 */
public record Concern(Kind kind, Set<String> groups, String memberId, String instanceId, boolean passes) {
    /** Of a request that may take effect at any time; only its reply keeps its place. */
    public static final Concern NONE = new Concern(Kind.NONE, Set.of(), "", "", true);

    /** What a request does to its groups. */
    public enum Kind {
        /** Nothing. */
        NONE,
        /** A heartbeat that only says that its member lives. */
        KEEP_ALIVE,
        /** A heartbeat that joins. */
        JOIN,
        /** A heartbeat that joins a group that may not exist yet. */
        FOUNDING_JOIN,
        /** A heartbeat that says what its member owns. */
        ACKNOWLEDGEMENT,
        /** A heartbeat by which its member leaves. */
        LEAVE,
        COMMIT,
        TRANSACTIONAL_COMMIT,
        /** Looks at offsets or members. */
        READ,
        /** Changes anything else: members by the hand of an operator, offsets, configs, or whether there is a group. */
        WRITE,
        /** JoinGroup, SyncGroup and Heartbeat of the classic protocol. */
        CLASSIC,
        /** Adds partitions or a group to a transaction. */
        TRANSACTION_PART,
        /** Ends a transaction, whatever groups it has offsets of. */
        TRANSACTION_END
    }

    public Concern {
        groups = Set.copyOf(groups);
    }

    /** A request that is not a modern heartbeat, about one group. */
    public static Concern of(Kind kind, String groupId, boolean passes) {
        return new Concern(kind, Set.of(groupId), "", "", passes);
    }

    /** A request that is not a modern heartbeat; about none if there are no groups. */
    public static Concern of(Kind kind, Collection<String> groupIds, boolean passes) {
        return groupIds.isEmpty() ? NONE : new Concern(kind, new HashSet<>(groupIds), "", "", passes);
    }

    public static Concern ofAllGroups(Kind kind, boolean passes) {
        return new Concern(kind, Set.of(), "", "", passes);
    }

    /**
     * A heartbeat of a consumer or streams group.
     *
     * @param instanceId null if none
     * @param memberEpoch as in the request: 0 joins, a negative one leaves
     * @param saysWhatItOwns whether it says what the member owns, be it nothing
     */
    public static Concern heartbeat(
            String groupId, String memberId, @Nullable String instanceId, int memberEpoch, boolean saysWhatItOwns) {
        return new Concern(
                kindOf(memberEpoch, saysWhatItOwns),
                Set.of(groupId),
                memberId,
                instanceId == null ? "" : instanceId,
                false);
    }

    private static Kind kindOf(int memberEpoch, boolean saysWhatItOwns) {
        if (memberEpoch < 0) {
            return Kind.LEAVE;
        }
        if (memberEpoch == 0) {
            return Kind.JOIN;
        }
        return saysWhatItOwns ? Kind.ACKNOWLEDGEMENT : Kind.KEEP_ALIVE;
    }

    /** The same heartbeat of a group that may not exist yet. */
    public Concern ofAbsentGroup() {
        return kind == Kind.JOIN ? new Concern(Kind.FOUNDING_JOIN, groups, memberId, instanceId, passes) : this;
    }

    /** How far an earlier request of the connection has to be before this one begins. */
    Wait waitFor(Concern earlier) {
        if (!sharesGroupWith(earlier)) {
            return Wait.NOT;
        }
        return switch (kind) {
            case NONE -> Wait.NOT;
            case KEEP_ALIVE -> Wait.untilDoneIf(earlier.isHeartbeat() && isAnsweredOtherwiseAfter(earlier));
            case JOIN, FOUNDING_JOIN ->
                Wait.untilDoneIf(earlier.isHeartbeat() ? sharesMemberWith(earlier) : !earlier.isOfTransaction());
            case ACKNOWLEDGEMENT, LEAVE ->
                Wait.untilDoneIf(
                        earlier.isHeartbeat() ? isAnsweredOtherwiseAfter(earlier) : !earlier.isOfTransaction());
            case COMMIT -> commitWaitsFor(earlier);
            case TRANSACTIONAL_COMMIT ->
                earlier.kind == Kind.TRANSACTION_END ? Wait.UNTIL_BEGUN : commitWaitsFor(earlier);
            case READ, CLASSIC -> Wait.untilDoneIf(!earlier.isOfTransaction() && (passes || earlier.kind != kind));
            case WRITE -> Wait.untilDoneIf(!earlier.isOfTransaction());
            case TRANSACTION_PART -> earlier.kind == Kind.TRANSACTION_END ? Wait.UNTIL_BEGUN : Wait.NOT;
            case TRANSACTION_END -> Wait.untilDoneIf(earlier.kind == Kind.TRANSACTIONAL_COMMIT);
        };
    }

    private Wait commitWaitsFor(Concern earlier) {
        return earlier.isCommit() && !passes ? Wait.UNTIL_BEGUN : Wait.untilDoneIf(!earlier.isOfTransaction());
    }

    /** Whether it is answered otherwise before an earlier heartbeat than after it: without the founder there is no group. */
    private boolean isAnsweredOtherwiseAfter(Concern earlier) {
        return sharesMemberWith(earlier) || earlier.kind == Kind.FOUNDING_JOIN;
    }

    /** How long a request waits for an earlier one. */
    enum Wait {
        NOT,
        UNTIL_BEGUN,
        UNTIL_DONE;

        private static Wait untilDoneIf(boolean needed) {
            return needed ? UNTIL_DONE : NOT;
        }
    }

    /** Whether it is a heartbeat of a member that stays: one that waits for too long costs the member its session. */
    boolean keepsMemberAlive() {
        return kind == Kind.KEEP_ALIVE
                || kind == Kind.JOIN
                || kind == Kind.FOUNDING_JOIN
                || kind == Kind.ACKNOWLEDGEMENT;
    }

    private boolean isOfTransaction() {
        return kind == Kind.TRANSACTION_PART || kind == Kind.TRANSACTION_END;
    }

    private boolean isHeartbeat() {
        return keepsMemberAlive() || kind == Kind.LEAVE;
    }

    private boolean isCommit() {
        return kind == Kind.COMMIT || kind == Kind.TRANSACTIONAL_COMMIT;
    }

    private boolean sharesGroupWith(Concern other) {
        return groups.isEmpty() || other.groups.isEmpty() || !Collections.disjoint(groups, other.groups);
    }

    private boolean sharesMemberWith(Concern other) {
        return isSame(memberId, other.memberId) || isSame(instanceId, other.instanceId);
    }

    private static boolean isSame(String id, String other) {
        return !id.isEmpty() && id.equals(other);
    }
}
