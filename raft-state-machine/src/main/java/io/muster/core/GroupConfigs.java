package io.muster.core;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The group configs of Kafka (resource type GROUP) that Muster honours: effective values and validation. */
public final class GroupConfigs {
    public static final String CONSUMER_SESSION_TIMEOUT = "consumer.session.timeout.ms";
    public static final String CONSUMER_HEARTBEAT_INTERVAL = "consumer.heartbeat.interval.ms";
    public static final String CONSUMER_ASSIGNMENT_INTERVAL = "consumer.assignment.interval.ms";
    public static final String STREAMS_SESSION_TIMEOUT = "streams.session.timeout.ms";
    public static final String STREAMS_HEARTBEAT_INTERVAL = "streams.heartbeat.interval.ms";
    public static final String STREAMS_ASSIGNMENT_INTERVAL = "streams.assignment.interval.ms";
    public static final String STREAMS_INITIAL_REBALANCE_DELAY = "streams.initial.rebalance.delay.ms";
    public static final String STREAMS_NUM_STANDBY_REPLICAS = "streams.num.standby.replicas";

    /** All names that Muster keeps itself. */
    public static final Set<String> NAMES = Set.of(
            CONSUMER_SESSION_TIMEOUT,
            CONSUMER_HEARTBEAT_INTERVAL,
            CONSUMER_ASSIGNMENT_INTERVAL,
            STREAMS_SESSION_TIMEOUT,
            STREAMS_HEARTBEAT_INTERVAL,
            STREAMS_ASSIGNMENT_INTERVAL,
            STREAMS_INITIAL_REBALANCE_DELAY,
            STREAMS_NUM_STANDBY_REPLICAS);

    /** Kafka's upper bound of the assignment interval, milliseconds. */
    private static final int MAX_ASSIGNMENT_INTERVAL_MILLIS = 15_000;

    private GroupConfigs() {}

    /** The group's own value of a config, or the cluster's default. */
    public static int effective(Group group, String name, CoordinatorConfig config) {
        String own = group.configs().get(name);
        return own == null ? defaultOf(name, config) : Integer.parseInt(own);
    }

    /** The cluster's default of a config. */
    public static int defaultOf(String name, CoordinatorConfig config) {
        return switch (name) {
            case CONSUMER_SESSION_TIMEOUT -> config.consumer().sessionTimeoutMillis();
            case CONSUMER_HEARTBEAT_INTERVAL -> config.consumer().heartbeatIntervalMillis();
            case CONSUMER_ASSIGNMENT_INTERVAL -> config.consumer().assignmentIntervalMillis();
            case STREAMS_SESSION_TIMEOUT -> config.streams().sessionTimeoutMillis();
            case STREAMS_HEARTBEAT_INTERVAL -> config.streams().heartbeatIntervalMillis();
            case STREAMS_ASSIGNMENT_INTERVAL -> config.streams().assignmentIntervalMillis();
            case STREAMS_INITIAL_REBALANCE_DELAY -> config.streamsInitialRebalanceDelayMillis();
            case STREAMS_NUM_STANDBY_REPLICAS -> config.streamsNumStandbyReplicas();
            default -> throw new IllegalArgumentException("unknown group config " + name);
        };
    }

    /** Why the changes must not be made, in Kafka's words; empty if they may. */
    public static Optional<String> complaint(Map<String, Optional<String>> changes, CoordinatorConfig config) {
        for (Map.Entry<String, Optional<String>> change : changes.entrySet()) {
            if (!NAMES.contains(change.getKey())) {
                return Optional.of("Unknown group config name: " + change.getKey());
            }
            Optional<String> complaint = change.getValue().flatMap(value -> complaint(change.getKey(), value, config));
            if (complaint.isPresent()) {
                return complaint;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> complaint(String name, String value, CoordinatorConfig config) {
        int number;
        try {
            number = Integer.parseInt(value.trim());
        } catch (NumberFormatException e) {
            return Optional.of("Invalid value " + value + " for configuration " + name + ": Not a number of type INT");
        }
        return switch (name) {
            case CONSUMER_SESSION_TIMEOUT ->
                outside(
                        name,
                        number,
                        config.consumer().minSessionTimeoutMillis(),
                        config.consumer().maxSessionTimeoutMillis());
            case STREAMS_SESSION_TIMEOUT ->
                outside(
                        name,
                        number,
                        config.streams().minSessionTimeoutMillis(),
                        config.streams().maxSessionTimeoutMillis());
            case CONSUMER_HEARTBEAT_INTERVAL ->
                outside(
                        name,
                        number,
                        config.consumer().minHeartbeatIntervalMillis(),
                        config.consumer().maxHeartbeatIntervalMillis());
            case STREAMS_HEARTBEAT_INTERVAL ->
                outside(
                        name,
                        number,
                        config.streams().minHeartbeatIntervalMillis(),
                        config.streams().maxHeartbeatIntervalMillis());
            case STREAMS_NUM_STANDBY_REPLICAS -> outside(name, number, 0, config.streamsMaxStandbyReplicas());
            case CONSUMER_ASSIGNMENT_INTERVAL, STREAMS_ASSIGNMENT_INTERVAL ->
                outside(name, number, 0, MAX_ASSIGNMENT_INTERVAL_MILLIS);
            default -> outside(name, number, 0, Integer.MAX_VALUE);
        };
    }

    private static Optional<String> outside(String name, int value, int lowest, int highest) {
        if (value >= lowest && value <= highest) {
            return Optional.empty();
        }
        return Optional.of(name + " must be in the range " + lowest + " to " + highest + " inclusive.");
    }
}
