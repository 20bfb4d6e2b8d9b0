package io.muster.runtime;

/** The outside of a shard's leader. */
public record ShardPorts(
        ReplicatedLog log,
        AppliedGroups groups,
        UpstreamClaims claims,
        TopicWatch topics,
        OwnedGroupsListener owned,
        TimerService timers,
        Clock clock,
        IdSource ids) {}
