package io.muster.core.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ConsumerGroupRecord;
import io.muster.core.GroupState;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random lives of a group whose members keep to the protocol; a failing one is replayed from its seed. */
class ConsumerGroupProperties {
    @Property(tries = 300)
    void anyLife_neverGivesAPartitionTwice_andEndsSettled(@ForAll long seed) {
        RandomConsumerLife life = new RandomConsumerLife(new Random(seed));
        int groupEpoch = 0;
        for (int step = 0; step < 60; step++) {
            life.step();

            ConsumerGroup group = ConsumerGroup.of(life.story().group());
            assertThat(group.groupEpoch()).isGreaterThanOrEqualTo(groupEpoch);
            assertThat(group.assignmentEpoch()).isLessThanOrEqualTo(group.groupEpoch());
            groupEpoch = group.groupEpoch();
            checkOwners(group);
        }
        life.settle();
        checkSettled(life);
    }

    private static void checkOwners(ConsumerGroup group) {
        List<String> held = new ArrayList<>();
        for (ConsumerMember member : group.members().all()) {
            member.held().forEach((topic, partition) -> {
                held.add(topic + ":" + partition);
                assertThat(member.current().heldSince(topic, partition)).isPresent();
                assertThat(group.members().isHeldByOthers(topic, partition, member.id()))
                        .isFalse();
            });
        }
        assertThat(held).doesNotHaveDuplicates();
        assertThat(group.members().holders().size()).isEqualTo(held.size());
    }

    private static void checkSettled(RandomConsumerLife life) {
        ConsumerGroup group = ConsumerGroup.of(life.story().group());
        if (group.isEmpty()) {
            return;
        }
        assertThat(group.state()).isEqualTo(GroupState.STABLE);
        Set<String> assigned = new TreeSet<>();
        group.members()
                .all()
                .forEach(member -> member.current()
                        .assigned()
                        .forEach((topic, partition) -> assigned.add(topic + ":" + partition)));
        assertThat(assigned).hasSize(group.members().subscribedTopics().size() * RandomConsumerLife.PARTITIONS);
        assertThat(life.beatAll())
                .allSatisfy(scene -> assertThat(scene.decision().records())
                        .noneMatch(record -> record instanceof ConsumerGroupRecord));
    }
}
