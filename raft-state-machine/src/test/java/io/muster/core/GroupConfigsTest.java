package io.muster.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.assignor.TaskAssignors;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupConfigsTest {
    private static final CoordinatorConfig CONFIG = CoordinatorConfig.defaults("blue");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    streams.assignor.name | nope | streams.assignor.name 'nope' is not a registered task assignor. Registered assignors are: [sticky].
                    streams.rack.aware.assignment.tags | a,a | streams.rack.aware.assignment.tags must not contain duplicate tag keys.
                    streams.heartbeat.interval.ms | 100 | streams.heartbeat.interval.ms must be in the range 5000 to 15000 inclusive.
                    streams.initial.rebalance.delay.ms | -1 | Invalid value -1 for configuration streams.initial.rebalance.delay.ms: Value must be at least 0
                    streams.num.standby.replicas | 3 | streams.num.standby.replicas must be less than or equal to 2
                    streams.session.timeout.ms | 1000 | streams.session.timeout.ms must be in the range 45000 to 60000 inclusive.
                    streams.session.timeout.ms | 0 | Invalid value 0 for configuration streams.session.timeout.ms: Value must be at least 1
                    streams.num.warmup.replicas | 21 | streams.num.warmup.replicas must be less than or equal to 20
                    streams.task.offset.interval.ms | 0 | Invalid value 0 for configuration streams.task.offset.interval.ms: Value must be at least 1
                    streams.task.offset.interval.ms | 14999 | streams.task.offset.interval.ms must be greater than or equal to 15000
                    streams.acceptable.recovery.lag | -1 | Invalid value -1 for configuration streams.acceptable.recovery.lag: Value must be at least 0
                    streams.acceptable.recovery.lag | x | Invalid value x for configuration streams.acceptable.recovery.lag: Not a number of type LONG
                    streams.nope | 3 | Unknown group config name: streams.nope
                    streams.assignor.offload.enable | maybe | Invalid value maybe for configuration streams.assignor.offload.enable: Expected value to be either true or false
                    """)
    void complaint_aboutBadValue_isKafkas(String name, String value, String complaint) {
        assertThat(GroupConfigs.complaint(Map.of(name, Optional.of(value)), CONFIG))
                .contains(complaint);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    streams.assignor.name | sticky
                    streams.rack.aware.assignment.tags | zone, rack
                    streams.num.warmup.replicas | 1
                    streams.acceptable.recovery.lag | 3000000000
                    consumer.assignor.offload.enable | true
                    streams.assignor.offload.enable | true
                    streams.num.standby.replicas | 2
                    """)
    void complaint_aboutGoodValue_isEmpty(String name, String value) {
        assertThat(GroupConfigs.complaint(Map.of(name, Optional.of(value)), CONFIG))
                .isEmpty();
    }

    @Test
    void described_areInternalOnes_onlyOfGroupsThatHaveThem() {
        assertThat(GroupConfigs.described(Set.of()))
                .hasSize(10)
                .doesNotContain(GroupConfigs.STREAMS_ACCEPTABLE_RECOVERY_LAG);
        assertThat(GroupConfigs.described(Set.of(GroupConfigs.STREAMS_ACCEPTABLE_RECOVERY_LAG)))
                .hasSize(11)
                .contains(GroupConfigs.STREAMS_ACCEPTABLE_RECOVERY_LAG);
    }

    @Test
    void taskAssignors_areThoseOfTheRegistry() {
        assertThat(GroupConfigs.TASK_ASSIGNORS).isEqualTo(TaskAssignors.names());
    }

    @Test
    void rackAwareTags_ofGroup_areSplit() {
        Group group = Group.absent("g")
                .withConfigs(new TreeMap<>(Map.of(GroupConfigs.STREAMS_RACK_AWARE_TAGS, "zone, rack")));

        assertThat(GroupConfigs.rackAwareTags(group)).containsExactly("zone", "rack");
        assertThat(GroupConfigs.rackAwareTags(Group.absent("g"))).isEmpty();
    }
}
