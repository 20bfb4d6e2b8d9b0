package io.muster.core.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.GroupState;
import io.muster.core.GroupStory;
import io.muster.core.StreamsGroupRecord;
import io.muster.core.TaskAssignment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random lives of a group whose members keep to the protocol; a failing one is replayed from its seed. */
class StreamsGroupProperties {
    @Property(tries = 150)
    void anyLife_neverGivesATaskTwice_andEndsSettled(@ForAll long seed) {
        RandomStreamsLife life = new RandomStreamsLife(new Random(seed));
        int groupEpoch = 0;
        for (int step = 0; step < 60; step++) {
            life.step();

            StreamsGroup group = StreamsGroup.of(life.story().group());
            assertThat(group.groupEpoch()).isGreaterThanOrEqualTo(groupEpoch);
            assertThat(group.assignmentEpoch()).isLessThanOrEqualTo(group.groupEpoch());
            groupEpoch = group.groupEpoch();
            checkOwners(group);
        }
        life.settle();
        checkSettled(life);
    }

    private static void checkOwners(StreamsGroup group) {
        List<String> active = new ArrayList<>();
        List<String> places = new ArrayList<>();
        List<String> read = new ArrayList<>();
        for (StreamsMember member : group.members().all()) {
            TaskAssignment held = member.held();
            held.active().forEach((id, task) -> {
                active.add(id + ":" + task);
                group.topologyOf(member)
                        .find(id)
                        .ifPresent(
                                subtopology -> subtopology.allSources().forEach(topic -> read.add(topic + ":" + task)));
            });
            Set<String> copies = new HashSet<>();
            for (var role : List.of(held.active(), held.standby())) {
                role.forEach((id, task) -> copies.add(member.profile().processId() + "/" + id + ":" + task));
            }
            places.addAll(copies);
        }
        assertThat(active).doesNotHaveDuplicates();
        assertThat(read).doesNotHaveDuplicates();
        assertThat(places).doesNotHaveDuplicates();
    }

    private static void checkSettled(RandomStreamsLife life) {
        StreamsGroup group = StreamsGroup.of(life.story().group());
        if (group.isEmpty()) {
            return;
        }
        assertThat(group.state()).isEqualTo(GroupState.STABLE);
        Set<String> active = new HashSet<>();
        group.members()
                .all()
                .forEach(member ->
                        member.current().assigned().active().forEach((id, task) -> active.add(id + ":" + task)));
        assertThat(active).hasSize(2 * RandomStreamsLife.PARTITIONS);
        List<GroupStory.Scene> quiet = life.beatAll();
        assertThat(quiet)
                .allSatisfy(scene -> assertThat(scene.decision().records())
                        .noneMatch(record -> record instanceof StreamsGroupRecord));
    }
}
