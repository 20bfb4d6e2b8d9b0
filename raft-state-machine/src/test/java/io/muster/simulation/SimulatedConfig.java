package io.muster.simulation;

import io.muster.core.CoordinatorConfig;
import io.muster.core.CoordinatorConfig.TypeDefaults;

/** The cluster's configuration: Kafka's, with times that pass within a short life. */
final class SimulatedConfig {
    private static final int SESSION_MILLIS = 10_000;
    private static final int CLAIM_SESSION_MILLIS = 40_000;
    private static final TypeDefaults TYPE =
            new TypeDefaults(SESSION_MILLIS, 5_000, 60_000, 2_000, 1_000, 15_000, 0, Integer.MAX_VALUE);

    private SimulatedConfig() {}

    static CoordinatorConfig pick(VirtualTime time) {
        CoordinatorConfig defaults = CoordinatorConfig.defaults("sim");
        boolean aside = time.pick(2) == 0;
        return new CoordinatorConfig(
                "sim",
                TYPE,
                TYPE,
                defaults.onlyStreams(),
                new CoordinatorConfig.Retention(
                        CLAIM_SESSION_MILLIS,
                        time.pick(3) == 0 ? 5_000 : defaults.retention().emptyGroupReleaseMillis(),
                        time.pick(3) == 0 ? 5_000 : defaults.retention().emptyGroupLookMillis(),
                        10_000),
                defaults.patternRefreshMillis(),
                defaults.patienceMillis(),
                aside ? 0 : defaults.largeTargetSize());
    }
}
