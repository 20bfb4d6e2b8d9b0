package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A coordinator that owns the group {@code g} only. */
abstract class GroupOwner implements Coordinator {
    @Override
    public boolean owns(String groupId) {
        return groupId.equals("g");
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
