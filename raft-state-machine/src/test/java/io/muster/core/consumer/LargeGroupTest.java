package io.muster.core.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClientInfo;
import io.muster.core.Command;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.Decision;
import io.muster.core.GroupState;
import io.muster.core.GroupStory;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.Partitions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class LargeGroupTest {
    private static final int MEMBERS = 1_000;

    private final GroupStory story = new GroupStory();

    @Test
    void join_ofAThousandMembersAtOnce_isOneTargetAndQuick() {
        story.topic("foo", 2 * MEMBERS);
        story.decide(List.of(heartbeat("m0000", 0)));
        List<Command> joins = new ArrayList<>();
        for (int i = 1; i < MEMBERS; i++) {
            joins.add(heartbeat(String.format("m%04d", i), 0));
        }

        Decision decision = Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> story.decide(joins).get(0).decision());

        assertThat(decision.replies()).hasSize(MEMBERS - 1);
        ConsumerGroup group = ConsumerGroup.of(story.group());
        assertThat(group.groupEpoch()).isEqualTo(1 + MEMBERS);
        assertThat(group.members().all())
                .allSatisfy(member -> assertThat(member.target().size()).isEqualTo(2));
    }

    @Test
    void heartbeat_inALargeStableGroup_emitsNothing() {
        story.topic("foo", MEMBERS);
        List<Command> joins = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            joins.add(heartbeat(String.format("m%04d", i), 0));
        }
        story.decide(joins);
        int epoch = ConsumerGroup.of(story.group()).groupEpoch();

        Decision decision =
                story.decide(List.of(heartbeat("m0500", epoch))).get(0).decision();

        assertThat(ConsumerGroup.of(story.group()).state()).isEqualTo(GroupState.STABLE);
        assertThat(decision.records()).isEmpty();
        assertThat(decision.replies()).hasSize(1);
    }

    private static ConsumerHeartbeat heartbeat(String memberId, int epoch) {
        boolean joins = epoch == 0;
        return new ConsumerHeartbeat(
                new Sender(
                        GroupStory.GROUP,
                        memberId,
                        epoch,
                        null,
                        null,
                        joins ? 60_000 : -1,
                        new ClientInfo("c", "/h"),
                        1),
                joins ? List.of("foo") : null,
                null,
                null,
                joins ? Partitions.none() : null);
    }
}
