package io.muster.gateway.coordinator;

import io.muster.rpc.proto.Wire;
import java.util.concurrent.CompletableFuture;

/**
 * A request on its way to a shard's leader.
 *
 * @param number rises with each request; also its correlation id
 * @param groupId empty if {@code request} names its shard itself
 * @param waitUntilNanos until when it may wait for a leader, {@link System#nanoTime()}
 * @param answerUntilNanos until when its answer may take
 */
record PendingRequest(
        long number,
        String groupId,
        Wire.Request request,
        long waitUntilNanos,
        long answerUntilNanos,
        CompletableFuture<Wire.Reply> answer) {}
