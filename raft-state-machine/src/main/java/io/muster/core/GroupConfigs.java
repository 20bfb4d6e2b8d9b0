package io.muster.core;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The group configs of Kafka (resource type GROUP) that Muster honours: effective values and validation. */
public final class GroupConfigs {
    public static final String CONSUMER_SESSION_TIMEOUT = "consumer.session.timeout.ms";
    public static final String CONSUMER_HEARTBEAT_INTERVAL = "consumer.heartbeat.interval.ms";
    public static final String CONSUMER_ASSIGNMENT_INTERVAL = "consumer.assignment.interval.ms";
    public static final String CONSUMER_ASSIGNOR_OFFLOAD = "consumer.assignor.offload.enable";
    public static final String STREAMS_SESSION_TIMEOUT = "streams.session.timeout.ms";
    public static final String STREAMS_HEARTBEAT_INTERVAL = "streams.heartbeat.interval.ms";
    public static final String STREAMS_ASSIGNMENT_INTERVAL = "streams.assignment.interval.ms";
    public static final String STREAMS_INITIAL_REBALANCE_DELAY = "streams.initial.rebalance.delay.ms";
    public static final String STREAMS_NUM_STANDBY_REPLICAS = "streams.num.standby.replicas";

    public static final String STREAMS_NUM_WARMUP_REPLICAS = "streams.num.warmup.replicas";
    public static final String STREAMS_TASK_OFFSET_INTERVAL = "streams.task.offset.interval.ms";
    public static final String STREAMS_ACCEPTABLE_RECOVERY_LAG = "streams.acceptable.recovery.lag";
    public static final String STREAMS_ASSIGNOR_NAME = "streams.assignor.name";
    public static final String STREAMS_ASSIGNOR_OFFLOAD = "streams.assignor.offload.enable";
    public static final String STREAMS_RACK_AWARE_TAGS = "streams.rack.aware.assignment.tags";

    /** The names of all task assignors, the standard one first, which is the only one that Kafka has too. */
    public static final List<String> TASK_ASSIGNORS = List.of("sticky", "highly_available");

    /** All names that Muster keeps itself and whose values are numbers. */
    public static final Set<String> NAMES = Set.of(
            CONSUMER_SESSION_TIMEOUT,
            CONSUMER_HEARTBEAT_INTERVAL,
            CONSUMER_ASSIGNMENT_INTERVAL,
            STREAMS_SESSION_TIMEOUT,
            STREAMS_HEARTBEAT_INTERVAL,
            STREAMS_ASSIGNMENT_INTERVAL,
            STREAMS_INITIAL_REBALANCE_DELAY,
            STREAMS_NUM_STANDBY_REPLICAS,
            STREAMS_NUM_WARMUP_REPLICAS,
            STREAMS_TASK_OFFSET_INTERVAL,
            STREAMS_ACCEPTABLE_RECOVERY_LAG);

    /** All other names that Muster keeps itself, and their defaults. */
    public static final SortedMap<String, String> TEXT_DEFAULTS =
            Collections.unmodifiableSortedMap(new TreeMap<>(Map.of(
                    STREAMS_ASSIGNOR_NAME,
                    TASK_ASSIGNORS.get(0),
                    CONSUMER_ASSIGNOR_OFFLOAD,
                    "true",
                    STREAMS_ASSIGNOR_OFFLOAD,
                    "true",
                    STREAMS_RACK_AWARE_TAGS,
                    "")));

    /** Those that Kafka describes only where they are set. */
    private static final Set<String> INTERNAL = Set.of(
            STREAMS_NUM_WARMUP_REPLICAS,
            STREAMS_TASK_OFFSET_INTERVAL,
            STREAMS_ACCEPTABLE_RECOVERY_LAG,
            STREAMS_ASSIGNOR_OFFLOAD,
            CONSUMER_ASSIGNOR_OFFLOAD);

    /** Kafka's upper bound of the assignment interval, milliseconds. */
    private static final int MAX_ASSIGNMENT_INTERVAL_MILLIS = 15_000;

    /** Kafka's lower bound of the task offset interval, milliseconds. */
    private static final int MIN_TASK_OFFSET_INTERVAL_MILLIS = 15_000;

    private static final int WARMUP_REPLICAS = 2;
    private static final int MAX_WARMUP_REPLICAS = 20;

    private GroupConfigs() {}

    /** The name of a group type's session timeout. */
    public static String sessionTimeout(GroupType type) {
        return switch (type) {
            case CONSUMER -> CONSUMER_SESSION_TIMEOUT;
            case STREAMS -> STREAMS_SESSION_TIMEOUT;
        };
    }

    /** The name of a group type's heartbeat interval. */
    public static String heartbeatInterval(GroupType type) {
        return switch (type) {
            case CONSUMER -> CONSUMER_HEARTBEAT_INTERVAL;
            case STREAMS -> STREAMS_HEARTBEAT_INTERVAL;
        };
    }

    /** The types of values, as Kafka names them. */
    public enum ValueType {
        INT,
        LONG,
        BOOLEAN,
        STRING,
        LIST
    }

    /** Whether Muster keeps this config, rather than the upstream brokers: also names that nobody knows. */
    public static boolean isKept(String name) {
        return name.startsWith("consumer.") || name.startsWith("streams.");
    }

    /** All names that Muster keeps itself. */
    public static SortedSet<String> all() {
        TreeSet<String> names = new TreeSet<>(NAMES);
        names.addAll(TEXT_DEFAULTS.keySet());
        return names;
    }

    /** The names of the configs that are described of a group: as in Kafka, some only if the group has them. */
    public static SortedSet<String> described(Set<String> own) {
        SortedSet<String> names = all();
        names.removeIf(name -> INTERNAL.contains(name) && !own.contains(name));
        return names;
    }

    public static ValueType typeOf(String name) {
        return switch (name) {
            case STREAMS_ASSIGNOR_NAME -> ValueType.STRING;
            case STREAMS_RACK_AWARE_TAGS -> ValueType.LIST;
            case STREAMS_ASSIGNOR_OFFLOAD, CONSUMER_ASSIGNOR_OFFLOAD -> ValueType.BOOLEAN;
            case STREAMS_ACCEPTABLE_RECOVERY_LAG -> ValueType.LONG;
            default -> ValueType.INT;
        };
    }

    /** The broker's config that gives groups without an own value theirs, as Kafka names it. */
    public static String brokerName(String name) {
        return name.equals(STREAMS_ASSIGNOR_NAME) ? "group.streams.assignors" : "group." + name;
    }

    /** The value of a config for groups that have no own one, as it is described. */
    public static String defaultText(String name, CoordinatorConfig config) {
        String text = TEXT_DEFAULTS.get(name);
        return text == null ? String.valueOf(defaultOf(name, config)) : text;
    }

    /** The group's own value of a config that is an int, or the cluster's default. */
    public static int effective(Group group, String name, CoordinatorConfig config) {
        return Math.toIntExact(effectiveLong(group, name, config));
    }

    private static long effectiveLong(Group group, String name, CoordinatorConfig config) {
        String own = group.configs().get(name);
        return own == null ? defaultOf(name, config) : Long.parseLong(own);
    }

    /** How many records a copy may be behind and still count as caught up. */
    public static long acceptableRecoveryLag(Group group, CoordinatorConfig config) {
        return effectiveLong(group, STREAMS_ACCEPTABLE_RECOVERY_LAG, config);
    }

    /**
     * The group's own values of those configs, beside the number of standby replicas, that say how tasks are assigned, if they are
     * not the defaults: a change makes a new target due.
     */
    public static SortedMap<String, String> ofAssignment(Group group, CoordinatorConfig config) {
        TreeMap<String, String> values = new TreeMap<>(group.configs());
        values.keySet()
                .retainAll(
                        Set.of(STREAMS_RACK_AWARE_TAGS, STREAMS_NUM_WARMUP_REPLICAS, STREAMS_ACCEPTABLE_RECOVERY_LAG));
        values.entrySet().removeIf(value -> value.getValue().equals(defaultText(value.getKey(), config)));
        return values;
    }

    /** The group's own value of a config of {@link #TEXT_DEFAULTS}, or its default. */
    public static String text(Group group, String name) {
        return group.configs().getOrDefault(name, TEXT_DEFAULTS.getOrDefault(name, ""));
    }

    /** The tags by which standby copies are to be spread; empty if none are configured. */
    public static List<String> rackAwareTags(Group group) {
        return list(text(group, STREAMS_RACK_AWARE_TAGS));
    }

    private static long defaultOf(String name, CoordinatorConfig config) {
        return switch (name) {
            case CONSUMER_SESSION_TIMEOUT -> config.consumer().sessionTimeoutMillis();
            case CONSUMER_HEARTBEAT_INTERVAL -> config.consumer().heartbeatIntervalMillis();
            case CONSUMER_ASSIGNMENT_INTERVAL -> config.consumer().assignmentIntervalMillis();
            case STREAMS_SESSION_TIMEOUT -> config.streams().sessionTimeoutMillis();
            case STREAMS_HEARTBEAT_INTERVAL -> config.streams().heartbeatIntervalMillis();
            case STREAMS_ASSIGNMENT_INTERVAL -> config.streams().assignmentIntervalMillis();
            case STREAMS_INITIAL_REBALANCE_DELAY -> config.onlyStreams().initialRebalanceDelayMillis();
            case STREAMS_NUM_STANDBY_REPLICAS -> config.onlyStreams().numStandbyReplicas();
            case STREAMS_NUM_WARMUP_REPLICAS -> WARMUP_REPLICAS;
            case STREAMS_TASK_OFFSET_INTERVAL -> config.onlyStreams().taskOffsetIntervalMillis();
            case STREAMS_ACCEPTABLE_RECOVERY_LAG -> config.onlyStreams().acceptableRecoveryLag();
            default -> throw new IllegalArgumentException("unknown group config " + name);
        };
    }

    /** Why the changes must not be made, in Kafka's words; empty if they may. */
    public static Optional<String> complaint(Map<String, Optional<String>> changes, CoordinatorConfig config) {
        for (Map.Entry<String, Optional<String>> change : changes.entrySet()) {
            if (!NAMES.contains(change.getKey()) && !TEXT_DEFAULTS.containsKey(change.getKey())) {
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
        return switch (name) {
            case STREAMS_ASSIGNOR_NAME -> assignorComplaint(value);
            case STREAMS_RACK_AWARE_TAGS -> tagsComplaint(value);
            case STREAMS_ASSIGNOR_OFFLOAD, CONSUMER_ASSIGNOR_OFFLOAD -> booleanComplaint(name, value);
            default -> numberComplaint(name, value, config);
        };
    }

    /** Says it in Kafka's words, which name Kafka's own assignor; the documentation names all of them. */
    private static Optional<String> assignorComplaint(String value) {
        return TASK_ASSIGNORS.contains(value.trim())
                ? Optional.empty()
                : Optional.of(STREAMS_ASSIGNOR_NAME + " '" + value.trim()
                        + "' is not a registered task assignor. Registered assignors are: [" + TASK_ASSIGNORS.get(0)
                        + "].");
    }

    private static Optional<String> tagsComplaint(String value) {
        List<String> tags = value.isBlank() ? List.of() : List.of(value.trim().split("\\s*,\\s*", -1));
        if (Set.copyOf(tags).size() != tags.size()) {
            return Optional.of(STREAMS_RACK_AWARE_TAGS + " must not contain duplicate tag keys.");
        }
        return tags.contains("")
                ? Optional.of("Configuration '" + STREAMS_RACK_AWARE_TAGS + "' values must not be empty.")
                : Optional.empty();
    }

    private static Optional<String> booleanComplaint(String name, String value) {
        return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")
                ? Optional.empty()
                : Optional.of("Invalid value " + value + " for configuration " + name
                        + ": Expected value to be either true or false");
    }

    private static List<String> list(String value) {
        return Stream.of(value.split(","))
                .map(String::trim)
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    private static Optional<String> numberComplaint(String name, String value, CoordinatorConfig config) {
        long number;
        try {
            number = typeOf(name) == ValueType.LONG ? Long.parseLong(value.trim()) : Integer.parseInt(value.trim());
        } catch (NumberFormatException e) {
            return Optional.of(
                    "Invalid value " + value + " for configuration " + name + ": Not a number of type " + typeOf(name));
        }
        return below(name, number, lowest(name)).or(() -> unfit(name, number, config));
    }

    /** The lowest value that Kafka's definition of the config allows, whatever the brokers' bounds. */
    private static int lowest(String name) {
        return switch (name) {
            case CONSUMER_SESSION_TIMEOUT,
                    CONSUMER_HEARTBEAT_INTERVAL,
                    STREAMS_SESSION_TIMEOUT,
                    STREAMS_HEARTBEAT_INTERVAL,
                    STREAMS_TASK_OFFSET_INTERVAL -> 1;
            default -> 0;
        };
    }

    private static Optional<String> unfit(String name, long number, CoordinatorConfig config) {
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
            case STREAMS_NUM_STANDBY_REPLICAS ->
                above(name, number, config.onlyStreams().maxStandbyReplicas());
            case STREAMS_NUM_WARMUP_REPLICAS -> above(name, number, MAX_WARMUP_REPLICAS);
            case STREAMS_TASK_OFFSET_INTERVAL ->
                under(
                        name,
                        number,
                        Math.min(
                                MIN_TASK_OFFSET_INTERVAL_MILLIS,
                                config.onlyStreams().taskOffsetIntervalMillis()));
            case CONSUMER_ASSIGNMENT_INTERVAL, STREAMS_ASSIGNMENT_INTERVAL ->
                outside(name, number, 0, MAX_ASSIGNMENT_INTERVAL_MILLIS);
            default -> Optional.empty();
        };
    }

    private static Optional<String> below(String name, long value, int lowest) {
        return value >= lowest
                ? Optional.empty()
                : Optional.of(
                        "Invalid value " + value + " for configuration " + name + ": Value must be at least " + lowest);
    }

    private static Optional<String> under(String name, long value, int lowest) {
        return value >= lowest ? Optional.empty() : Optional.of(name + " must be greater than or equal to " + lowest);
    }

    private static Optional<String> above(String name, long value, int highest) {
        return value <= highest ? Optional.empty() : Optional.of(name + " must be less than or equal to " + highest);
    }

    private static Optional<String> outside(String name, long value, int lowest, int highest) {
        if (value >= lowest && value <= highest) {
            return Optional.empty();
        }
        return Optional.of(name + " must be in the range " + lowest + " to " + highest + " inclusive.");
    }
}
