package io.muster.gateway.kafka.api;

import io.muster.core.GroupError;
import io.muster.core.GroupType;
import io.muster.core.Response;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** Groups that Muster does not own but upstream may have. */
final class GroupsUpstream {
    /** In this version an absent group and one of another type are told apart; before there are classic groups only. */
    private static final short DESCRIBE_GROUPS = 6;

    private GroupsUpstream() {}

    /**
     * The refusal for a group that Muster does not know, in Kafka's words: the group may be of another type upstream.
     *
     * @param type of the group that was asked for
     */
    static CompletableFuture<Response> told(
            Response response, String groupId, GroupType type, ClientUpstream upstream) {
        boolean unknown =
                response instanceof Response.Refused refused && refused.error() == GroupError.GROUP_ID_NOT_FOUND;
        if (!unknown) {
            return CompletableFuture.completedFuture(response);
        }
        DescribeGroupsRequestData request = new DescribeGroupsRequestData().setGroups(List.of(groupId));
        short version = (short) Math.min(DESCRIBE_GROUPS, upstream.maxVersion(ApiKeys.DESCRIBE_GROUPS));
        return upstream.call(ApiKeys.DESCRIBE_GROUPS, version, request)
                .thenApply(answer ->
                        exists(((DescribeGroupsResponseData) answer).groups().get(0))
                                ? new Response.Refused(
                                        GroupError.GROUP_ID_NOT_FOUND,
                                        "Group " + groupId + " is not a " + type.word() + " group.")
                                : response)
                .exceptionally(away -> response);
    }

    private static boolean exists(DescribedGroup group) {
        String message = group.errorMessage();
        return (group.errorCode() == Errors.NONE.code() && !group.groupState().equals("Dead"))
                || (message != null && message.endsWith("is not a classic group."));
    }
}
