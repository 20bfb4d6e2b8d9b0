package io.muster.cluster.gateway;

import io.muster.core.Command;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupError;
import io.muster.core.GroupState;
import io.muster.core.GroupType;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.runtime.GroupSummary;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;

/** A coordinator that owns one group, accepts every heartbeat of it and notes the topics it is told of. */
final class ScriptedGroups implements Coordinator {
    static final String OWNED = "owned";

    final Set<String> touched = new ConcurrentSkipListSet<>();

    @Override
    public CompletableFuture<Response> submit(Command command) {
        Response response = command instanceof ConsumerHeartbeat heartbeat
                        && heartbeat.groupId().equals(OWNED)
                ? new Response.ConsumerHeartbeatAnswer(
                        heartbeat.memberId(), 1, 5_000, null, Collections.emptySortedSet())
                : new Response.Refused(GroupError.GROUP_ID_NOT_FOUND, "Group not found.");
        return CompletableFuture.completedFuture(response);
    }

    @Override
    public boolean owns(String groupId) {
        return groupId.equals(OWNED);
    }

    @Override
    public boolean ownershipKnown(String groupId) {
        return true;
    }

    @Override
    public CompletableFuture<GroupListings> listGroups() {
        GroupSummary group = new GroupSummary(OWNED, GroupType.CONSUMER, GroupState.STABLE, 1, 1);
        return CompletableFuture.completedFuture(new GroupListings(List.of(group), true));
    }

    @Override
    public void topicsTouched(Set<String> names, Set<String> deleted) {
        touched.addAll(names);
    }
}
