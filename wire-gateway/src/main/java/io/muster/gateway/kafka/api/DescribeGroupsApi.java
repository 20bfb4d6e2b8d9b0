package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** DescribeGroups knows classic groups only: those that Muster owns are answered as Kafka answers groups of another type. */
public final class DescribeGroupsApi implements Api {
    private static final short FIRST_WITH_NOT_FOUND = 6;

    private final Coordinator coordinator;

    public DescribeGroupsApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_GROUPS;
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
        List<String> others =
                asked.groups().stream().filter(id -> !coordinator.owns(id)).toList();
        if (others.isEmpty()) {
            return Route.Answer.of(merged(new DescribeGroupsResponseData(), asked, request.version()));
        }
        DescribeGroupsRequestData some = asked.duplicate().setGroups(others);
        return Route.Answer.of(session.upstream()
                .call(key(), upstreamVersion, some)
                .thenApply(answer -> merged((DescribeGroupsResponseData) answer, asked, request.version())));
    }

    private static ApiMessage merged(
            DescribeGroupsResponseData upstream, DescribeGroupsRequestData asked, short version) {
        Map<String, DescribedGroup> answered = new HashMap<>();
        upstream.groups().forEach(group -> answered.put(group.groupId(), group));
        List<DescribedGroup> all = new ArrayList<>();
        asked.groups().forEach(id -> all.add(answered.getOrDefault(id, ofAnotherType(id, version))));
        return upstream.setGroups(all);
    }

    private static DescribedGroup ofAnotherType(String groupId, short version) {
        DescribedGroup group = new DescribedGroup().setGroupId(groupId).setGroupState("Dead");
        return version < FIRST_WITH_NOT_FOUND
                ? group
                : group.setErrorCode(Errors.GROUP_ID_NOT_FOUND.code())
                        .setErrorMessage("Group " + groupId + " is not a classic group.");
    }
}
