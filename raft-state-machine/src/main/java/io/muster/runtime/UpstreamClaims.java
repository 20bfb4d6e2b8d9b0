package io.muster.runtime;

import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import java.util.function.Consumer;

/** Carries claim operations to the upstream cluster by way of a connected gateway. */
public interface UpstreamClaims {
    /**
     * Starts an operation and returns at once. {@code report} is called, on any thread, once with the end of the operation, and
     * before it with {@link ClaimOutcome.Locked} when a first join has locked others out. Without a gateway the end is
     * {@link ClaimOutcome.Unavailable}.
     */
    void start(String groupId, ClaimOperation operation, Consumer<ClaimOutcome> report);
}
