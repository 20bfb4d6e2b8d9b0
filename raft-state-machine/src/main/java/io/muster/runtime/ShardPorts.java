package io.muster.runtime;

/**
 * The outside of a shard's leader.
 *
 * @param founding what a shard that has no identity yet is founded with
 */
public record ShardPorts(
        ReplicatedLog log,
        AppliedGroups groups,
        UpstreamClaims claims,
        TopicWatch topics,
        ShardAnnouncements announcements,
        TimerService timers,
        Clock clock,
        IdSource ids,
        ClusterIdentity founding) {}
