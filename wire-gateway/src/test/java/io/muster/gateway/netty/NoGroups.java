package io.muster.gateway.netty;

import io.muster.core.Command;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A coordinator without groups. */
class NoGroups implements Coordinator {
    @Override
    public CompletableFuture<Response> submit(Command command) {
        return CompletableFuture.completedFuture(
                new Response.Refused(GroupError.GROUP_ID_NOT_FOUND, "Group not found."));
    }

    @Override
    public boolean owns(String groupId) {
        return false;
    }

    @Override
    public boolean ownershipKnown(String groupId) {
        return true;
    }

    @Override
    public CompletableFuture<GroupListings> listGroups() {
        return CompletableFuture.completedFuture(new GroupListings(List.of(), true));
    }

    @Override
    public void topicsTouched(Set<String> names, Set<String> deleted) {}
}
