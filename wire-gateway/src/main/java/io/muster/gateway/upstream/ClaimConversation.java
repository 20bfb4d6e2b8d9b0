package io.muster.gateway.upstream;

import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimMarks;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.ClaimOutcome.Occupants;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.DescribeGroupsRequest;
import org.apache.kafka.common.requests.DescribeGroupsResponse;
import org.apache.kafka.common.requests.HeartbeatRequest;
import org.apache.kafka.common.requests.HeartbeatResponse;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.requests.LeaveGroupRequest;
import org.apache.kafka.common.requests.LeaveGroupResponse;
import org.apache.kafka.common.requests.SyncGroupRequest;
import org.apache.kafka.common.requests.SyncGroupResponse;

/** Says one claim operation to the group's upstream coordinator and translates the answer. Blocks; one thread. */
final class ClaimConversation {
    private static final String DEAD = "Dead";
    private static final String PROTOCOL_TYPE = "consumer";
    private static final int REBALANCE_TIMEOUT_MILLIS = 300_000;
    private static final int FIRST_JOIN_TIMEOUT_MILLIS = REBALANCE_TIMEOUT_MILLIS + 5_000;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int MOST_REJOINS = 5;

    private final BrokerSession session;
    private final Node broker;
    private final CoordinatorLookup coordinators;
    private final SessionTimeouts timeouts;
    private final String claimName;
    private final ClaimMarks marks;

    /** @param broker the group's coordinator as it was last known; the only one that is talked to */
    ClaimConversation(BrokerSession session, Node broker, BrokerClaims.Shared shared, ClaimMarks marks) {
        this.session = session;
        this.broker = broker;
        this.coordinators = shared.coordinators();
        this.timeouts = shared.timeouts();
        this.claimName = shared.config().claimName();
        this.marks = marks;
    }

    ClaimOutcome run(ClaimTask task) {
        String groupId = task.groupId();
        ClaimOperation operation = task.operation();
        try {
            Optional<ClaimOutcome> stranger = stranger(groupId, operation);
            // What came before may have taken long.
            if (task.isGivenUp()) {
                return ClaimTask.GIVEN_UP;
            }
            if (stranger.isPresent()) {
                return stranger.get();
            }
            if (operation instanceof ClaimOperation.Join join) {
                return join(groupId, timeouts.atMost(join.sessionTimeoutMillis()));
            }
            if (operation instanceof ClaimOperation.Fence fence) {
                return fence(groupId, fence.sessionTimeoutMillis());
            }
            if (operation instanceof ClaimOperation.Heartbeat heartbeat) {
                return heartbeat(groupId, heartbeat.identity());
            }
            if (operation instanceof ClaimOperation.Look) {
                return look(groupId);
            }
            return leave(groupId, ((ClaimOperation.Leave) operation).identity());
        } catch (UpstreamException e) {
            coordinators.forget(groupId);
            return new ClaimOutcome.Unavailable(String.valueOf(e.getMessage()));
        }
    }

    /** A broker lets anyone with our instance id replace our member, so another cluster of our name has to be seen before. */
    private Optional<ClaimOutcome> stranger(String groupId, ClaimOperation operation) throws UpstreamException {
        if (operation instanceof ClaimOperation.Join) {
            return stranger(groupId, "");
        }
        return operation instanceof ClaimOperation.Fence fence
                ? stranger(groupId, fence.replaced().memberId())
                : Optional.empty();
    }

    private Optional<ClaimOutcome> stranger(String groupId, String memberId) throws UpstreamException {
        return ClaimMetadata.stranger(described(groupId), claimName, memberId, marks)
                .map(mark -> new ClaimOutcome.OwnedElsewhere(
                        Occupants.CONSUMERS,
                        "another Muster cluster claims it under the same name, " + claimName + " (mark " + mark
                                + "): give this one another cluster.name, or see cluster.takeOverClaims"));
    }

    private ClaimOutcome join(String groupId, int sessionTimeoutMillis) throws UpstreamException {
        int asked = sessionTimeoutMillis;
        for (int attempt = 0; attempt < MOST_REJOINS; ) {
            Entry entry = enter(groupId, asked, FIRST_JOIN_TIMEOUT_MILLIS);
            if (entry.error() == Errors.NONE) {
                return new ClaimOutcome.Joined(entry.identity(), asked, entry.inPlace());
            }
            if (entry.error() == Errors.INVALID_SESSION_TIMEOUT) {
                OptionalInt shorter = timeouts.refused(asked);
                if (shorter.isEmpty()) {
                    return new ClaimOutcome.Unavailable("upstream takes no session timeout of 30 seconds or more");
                }
                asked = shorter.getAsInt();
            } else if (entry.error() == Errors.REBALANCE_IN_PROGRESS) {
                attempt++;
            } else {
                return refusal(groupId, entry.error());
            }
        }
        return new ClaimOutcome.Unavailable("the group keeps rebalancing upstream");
    }

    private ClaimOutcome fence(String groupId, int sessionTimeoutMillis) throws UpstreamException {
        for (int attempt = 0; attempt < MOST_REJOINS; attempt++) {
            Entry entry = enter(groupId, sessionTimeoutMillis, TIMEOUT_MILLIS);
            if (entry.error() == Errors.NONE) {
                return new ClaimOutcome.Fenced(entry.identity(), entry.inPlace());
            }
            if (entry.error() == Errors.INVALID_SESSION_TIMEOUT) {
                return new ClaimOutcome.Lost("upstream does not take the session timeout any more");
            }
            if (entry.error() != Errors.REBALANCE_IN_PROGRESS) {
                return refusal(groupId, entry.error());
            }
        }
        return new ClaimOutcome.Unavailable("the group keeps rebalancing upstream");
    }

    /** How a JoinGroup, and the SyncGroup that may have to follow, ended; the rest counts without an error only. */
    private record Entry(Errors error, ClaimIdentity identity, boolean inPlace) {}

    private Entry enter(String groupId, int sessionTimeoutMillis, int timeoutMillis) throws UpstreamException {
        JoinGroupResponseData joined = ((JoinGroupResponse)
                        call(new JoinGroupRequest.Builder(joinRequest(groupId, sessionTimeoutMillis)), timeoutMillis))
                .data();
        ClaimIdentity identity = new ClaimIdentity(joined.memberId(), joined.generationId());
        Errors error = Errors.forCode(joined.errorCode());
        if (error != Errors.NONE || joined.skipAssignment()) {
            return new Entry(error, identity, joined.skipAssignment());
        }
        if (joined.members().size() > 1) {
            return new Entry(Errors.GROUP_MAX_SIZE_REACHED, identity, false);
        }
        // A leader's place is taken over without a rebalance only: the leader is told to be the one that went.
        boolean inPlace = !joined.leader().equals(joined.memberId());
        return new Entry(sync(groupId, identity, !inPlace), identity, inPlace);
    }

    private JoinGroupRequestData joinRequest(String groupId, int sessionTimeoutMillis) {
        JoinGroupRequestData.JoinGroupRequestProtocolCollection protocols =
                new JoinGroupRequestData.JoinGroupRequestProtocolCollection();
        protocols.add(new JoinGroupRequestData.JoinGroupRequestProtocol()
                .setName(claimName)
                .setMetadata(ClaimMetadata.of(marks.current())));
        return new JoinGroupRequestData()
                .setGroupId(groupId)
                .setMemberId("")
                .setGroupInstanceId(claimName)
                .setProtocolType(PROTOCOL_TYPE)
                .setProtocols(protocols)
                .setSessionTimeoutMs(sessionTimeoutMillis)
                .setRebalanceTimeoutMs(REBALANCE_TIMEOUT_MILLIS);
    }

    private Errors sync(String groupId, ClaimIdentity identity, boolean leader) throws UpstreamException {
        SyncGroupRequestData data = new SyncGroupRequestData()
                .setGroupId(groupId)
                .setGenerationId(identity.generation())
                .setMemberId(identity.memberId())
                .setGroupInstanceId(claimName)
                .setProtocolType(PROTOCOL_TYPE)
                .setProtocolName(claimName);
        if (leader) {
            data.setAssignments(List.of(new SyncGroupRequestData.SyncGroupRequestAssignment()
                    .setMemberId(identity.memberId())
                    .setAssignment(new byte[0])));
        }
        AbstractResponse response = call(new SyncGroupRequest.Builder(data), TIMEOUT_MILLIS);
        return ((SyncGroupResponse) response).error();
    }

    private ClaimOutcome heartbeat(String groupId, ClaimIdentity identity) throws UpstreamException {
        HeartbeatRequestData data = new HeartbeatRequestData()
                .setGroupId(groupId)
                .setGenerationId(identity.generation())
                .setMemberId(identity.memberId())
                .setGroupInstanceId(claimName);
        HeartbeatResponse response = (HeartbeatResponse) call(new HeartbeatRequest.Builder(data), TIMEOUT_MILLIS);
        Errors error = response.error();
        return error == Errors.NONE ? new ClaimOutcome.HeartbeatOk() : refusal(groupId, error);
    }

    private ClaimOutcome leave(String groupId, ClaimIdentity identity) throws UpstreamException {
        MemberIdentity member = new MemberIdentity()
                .setMemberId(identity.memberId())
                .setGroupInstanceId(claimName)
                .setReason("the group is given up by " + claimName);
        LeaveGroupResponse response =
                (LeaveGroupResponse) call(new LeaveGroupRequest.Builder(groupId, List.of(member)), TIMEOUT_MILLIS);
        Errors error = response.error();
        boolean gone = error == Errors.NONE || error == Errors.UNKNOWN_MEMBER_ID || error == Errors.GROUP_ID_NOT_FOUND;
        return gone ? new ClaimOutcome.Left() : refusal(groupId, error);
    }

    /** A group of which offsets are left stands there as an empty classic one. */
    private ClaimOutcome look(String groupId) throws UpstreamException {
        DescribedGroup group = described(groupId);
        Errors error = Errors.forCode(group.errorCode());
        if (error != Errors.NONE && error != Errors.GROUP_ID_NOT_FOUND) {
            ClaimOutcome refused = refusal(groupId, error);
            return refused instanceof ClaimOutcome.Unavailable ? refused : new ClaimOutcome.Present();
        }
        return DEAD.equals(group.groupState()) ? new ClaimOutcome.Absent() : new ClaimOutcome.Present();
    }

    private DescribedGroup described(String groupId) throws UpstreamException {
        DescribeGroupsRequestData data = new DescribeGroupsRequestData().setGroups(List.of(groupId));
        DescribeGroupsResponse response =
                (DescribeGroupsResponse) call(new DescribeGroupsRequest.Builder(data), TIMEOUT_MILLIS);
        return response.data().groups().get(0);
    }

    private AbstractResponse call(AbstractRequest.Builder<?> request, int timeoutMillis) throws UpstreamException {
        return session.call(broker, request, timeoutMillis);
    }

    private ClaimOutcome refusal(String groupId, Errors error) throws UpstreamException {
        return switch (error) {
            case INCONSISTENT_GROUP_PROTOCOL, GROUP_MAX_SIZE_REACHED, GROUP_ID_NOT_FOUND ->
                new ClaimOutcome.OwnedElsewhere(occupants(groupId), "other members live in it (" + error.name() + ")");
            case UNKNOWN_MEMBER_ID -> new ClaimOutcome.Lost("upstream has no member of ours any more", true);
            case FENCED_INSTANCE_ID, ILLEGAL_GENERATION, REBALANCE_IN_PROGRESS ->
                new ClaimOutcome.Lost("upstream does not know our member any more (" + error.name() + ")");
            case NOT_COORDINATOR, COORDINATOR_NOT_AVAILABLE, COORDINATOR_LOAD_IN_PROGRESS -> {
                coordinators.forget(groupId);
                yield new ClaimOutcome.Unavailable("upstream's coordinator is away (" + error.name() + ")");
            }
            case GROUP_AUTHORIZATION_FAILED ->
                new ClaimOutcome.Unavailable("Muster's own principal may not READ group " + groupId);
            default -> new ClaimOutcome.Unavailable("upstream answered " + error.name() + ": " + error.message());
        };
    }

    /** Who lives in the group: only of classic members does upstream tell the protocol type. */
    private Occupants occupants(String groupId) throws UpstreamException {
        String protocolType = described(groupId).protocolType();
        if (protocolType.isEmpty()) {
            return Occupants.OTHER_TYPE;
        }
        return protocolType.equals(PROTOCOL_TYPE) ? Occupants.CONSUMERS : Occupants.OTHER_CLASSIC_MEMBERS;
    }
}
