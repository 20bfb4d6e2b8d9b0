package io.muster.cli.config;

import io.muster.core.CoordinatorConfig;
import io.muster.core.CoordinatorConfig.Retention;
import io.muster.core.CoordinatorConfig.StreamsDefaults;
import io.muster.core.CoordinatorConfig.TypeDefaults;

/** Reads the defaults and limits of groups. They should be the same on all nodes. */
final class CoordinatorSection {
    private CoordinatorSection() {}

    static CoordinatorConfig read(ConfigSection section, String clusterName) throws ConfigException {
        ConfigSection streams = section.section("streams");
        StreamsDefaults onlyStreams = new StreamsDefaults(
                streams.millis("initialRebalanceDelay", "3s", "0ms", "10m"),
                streams.integer("numStandbyReplicas", 0, 0, 100),
                streams.integer("maxStandbyReplicas", 2, 0, 100),
                streams.millis("taskOffsetInterval", "60s", "1s", "1h"),
                streams.integer("acceptableRecoveryLag", 10_000, 0, Integer.MAX_VALUE));
        CoordinatorConfig config = new CoordinatorConfig(
                clusterName,
                type(section.section("consumer")),
                type(streams),
                onlyStreams,
                new Retention(
                        section.millis("claimSessionTimeout", "30m", "30s", "30m"),
                        section.millis("emptyGroupRelease", "10m", "1s", "20d"),
                        section.millis("emptyGroupLook", "10m", "1s", "20d"),
                        section.millis("historyRetention", "7d", "1m", "20d")),
                section.millis("patternRefresh", "10s", "10s", "1h"),
                section.millis("patience", "3s", "100ms", "30s"),
                section.integer("largeTargetSize", CoordinatorConfig.DEFAULT_LARGE_TARGET_SIZE, 0, Integer.MAX_VALUE));
        section.requireNothingElse();
        return config;
    }

    private static TypeDefaults type(ConfigSection section) throws ConfigException {
        TypeDefaults kafka = TypeDefaults.KAFKA;
        TypeDefaults defaults = new TypeDefaults(
                section.millis("sessionTimeout", "45s", "1s", "1h"),
                section.millis("minSessionTimeout", "45s", "1s", "1h"),
                section.millis("maxSessionTimeout", "60s", "1s", "1h"),
                section.millis("heartbeatInterval", "5s", "100ms", "10m"),
                section.millis("minHeartbeatInterval", "5s", "100ms", "10m"),
                section.millis("maxHeartbeatInterval", "15s", "100ms", "10m"),
                section.millis("assignmentInterval", "0ms", "0ms", "10m"),
                section.integer("maxSize", kafka.maxSize(), 1, Integer.MAX_VALUE));
        section.requireNothingElse();
        requireWithin(
                section.at("sessionTimeout"),
                defaults.sessionTimeoutMillis(),
                defaults.minSessionTimeoutMillis(),
                defaults.maxSessionTimeoutMillis());
        requireWithin(
                section.at("heartbeatInterval"),
                defaults.heartbeatIntervalMillis(),
                defaults.minHeartbeatIntervalMillis(),
                defaults.maxHeartbeatIntervalMillis());
        return defaults;
    }

    private static void requireWithin(String key, int value, int lowest, int highest) throws ConfigException {
        if (value < lowest || value > highest) {
            throw new ConfigException(key + " must be between its own minimum (" + lowest + " ms) and maximum ("
                    + highest + " ms), but is " + value + " ms");
        }
    }
}
