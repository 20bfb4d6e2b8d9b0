package io.muster.gateway.kafka;

import io.muster.core.Command;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.wire.CommandCodec;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A coordinator that owns one group, has each command go over the wire and back, and refuses it. */
final class FuzzedGroups implements Coordinator {
    static final String OWNED = "owned";

    private static final GroupError[] ERRORS = GroupError.values();
    private int turn;
    int commands;

    @Override
    public CompletableFuture<Response> submit(Command command) {
        commands++;
        if (!CommandCodec.decode(CommandCodec.encode(command)).equals(command)) {
            throw new AssertionError("changed on the wire: " + command);
        }
        turn = (turn + 1) % ERRORS.length;
        return CompletableFuture.completedFuture(new Response.Refused(ERRORS[turn], "refused"));
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
        return CompletableFuture.completedFuture(new GroupListings(List.of(), true));
    }

    @Override
    public void topicsTouched(Set<String> names, Set<String> deleted) {}
}
