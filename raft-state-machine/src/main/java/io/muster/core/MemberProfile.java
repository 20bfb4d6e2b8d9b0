package io.muster.core;

import org.jspecify.annotations.Nullable;

/** What a member told about itself, as far as members of all group types do. */
public interface MemberProfile {
    String memberId();

    /** The instance id of a static member; null of any other. */
    @Nullable
    String instanceId();

    ClientInfo client();

    /** How long the member may take to give something up, milliseconds. */
    int rebalanceTimeoutMillis();
}
