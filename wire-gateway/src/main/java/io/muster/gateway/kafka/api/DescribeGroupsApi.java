package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import java.util.List;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** DescribeGroups knows classic groups only: those that Muster owns are answered as Kafka answers groups of another type. */
final class DescribeGroupsApi implements Api {
    private static final short FIRST_WITH_NOT_FOUND = 6;
    private static final String DEAD = "Dead";

    private final Coordinator coordinator;

    DescribeGroupsApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_GROUPS;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        List<String> groupIds = request.body(DescribeGroupsRequestData.class).groups();
        return Concern.of(Concern.Kind.READ, groupIds, groupIds.stream().noneMatch(coordinator::owns));
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        DescribeGroupsRequestData asked = request.body(DescribeGroupsRequestData.class);
        short upstreamVersion =
                (short) Math.min(request.version(), session.upstream().maxVersion(key()));
        boolean owned = asked.groups().stream().anyMatch(coordinator::owns);
        if (!owned && upstreamVersion == request.version()) {
            return Route.Pass.UNREAD;
        }
        return Route.Answer.of(session.upstream()
                .call(key(), upstreamVersion, asked)
                .thenApply(answer -> merged((DescribeGroupsResponseData) answer, request.version(), upstreamVersion)));
    }

    private ApiMessage merged(DescribeGroupsResponseData upstream, short version, short upstreamVersion) {
        boolean saysAbsent = version >= FIRST_WITH_NOT_FOUND && upstreamVersion < FIRST_WITH_NOT_FOUND;
        return upstream.setGroups(upstream.groups().stream()
                .map(group -> described(group, version, saysAbsent))
                .toList());
    }

    /** What upstream says of an owned group is about the claim, but for what the client may do. */
    private DescribedGroup described(DescribedGroup upstream, short version, boolean saysAbsent) {
        if (coordinator.owns(upstream.groupId()) && upstream.errorCode() != Errors.GROUP_AUTHORIZATION_FAILED.code()) {
            return ofAnotherType(upstream, version);
        }
        boolean absent = upstream.errorCode() == Errors.NONE.code()
                && upstream.groupState().equals(DEAD);
        return saysAbsent && absent
                ? notFound(upstream.groupId(), "Group " + upstream.groupId() + " not found.")
                : upstream;
    }

    private static DescribedGroup ofAnotherType(DescribedGroup upstream, short version) {
        String groupId = upstream.groupId();
        return version < FIRST_WITH_NOT_FOUND
                ? new DescribedGroup()
                        .setGroupId(groupId)
                        .setGroupState(DEAD)
                        .setAuthorizedOperations(upstream.authorizedOperations())
                : notFound(groupId, "Group " + groupId + " is not a classic group.");
    }

    private static DescribedGroup notFound(String groupId, String message) {
        return new DescribedGroup()
                .setGroupId(groupId)
                .setGroupState(DEAD)
                .setErrorCode(Errors.GROUP_ID_NOT_FOUND.code())
                .setErrorMessage(message);
    }
}
