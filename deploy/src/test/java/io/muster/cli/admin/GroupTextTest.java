package io.muster.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClientInfo;
import io.muster.core.GroupDescription;
import io.muster.core.GroupDescription.ConsumerMember;
import io.muster.core.GroupInspection;
import io.muster.core.GroupState;
import io.muster.core.HistoryEntry;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.Partitions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class GroupTextTest {
    private static final UUID TOPIC = new UUID(1, 2);

    private final GroupInspection group = new GroupInspection(
            new GroupDescription.Consumer(
                    "orders",
                    GroupState.RECONCILING,
                    3,
                    3,
                    "uniform",
                    List.of(new ConsumerMember(
                            new GroupDescription.MemberIdentity(
                                    "m1", null, null, 2, new ClientInfo("app", "/10.0.0.1")),
                            List.of("t"),
                            "",
                            Partitions.of(TOPIC, 0, 1),
                            Partitions.of(TOPIC, 0))),
                    new TreeMap<>(Map.of(TOPIC, "t"))),
            "held as muster-1, generation 4",
            List.of("t-1: a fence"),
            List.of(
                    new HistoryEntry(1, 0, 2, Reason.JOINED, "m1", ""),
                    new HistoryEntry(2, 1_000, 3, Reason.SESSION_EXPIRED, "m2", "after 45 s")));

    @Test
    void describe_showsCurrentAndTargetSideBySide() {
        assertThat(GroupText.describe(group).lines())
                .contains(
                        "State:            Reconciling",
                        "Claim:            held as muster-1, generation 4",
                        "Waits for:        t-1: a fence",
                        "MEMBER  INSTANCE  CLIENT  HOST       EPOCH  CURRENT  TARGET",
                        "m1      -         app     /10.0.0.1  2      t[0, 1]  t[0]");
    }

    @Test
    void history_answersWhyTheGroupLastRebalanced() {
        assertThat(GroupText.history("orders", group.history()).lines())
                .first()
                .isEqualTo("Group orders last rebalanced at 1970-01-01T00:00:01Z to epoch 3, because: session expired"
                        + " (member m2): after 45 s");
    }

    @Test
    void history_withNotesAboutTheLastEpoch_namesWhatRaisedIt() {
        List<HistoryEntry> entries = List.of(
                new HistoryEntry(1, 0, 2, Reason.JOINED, "m1", ""),
                new HistoryEntry(2, 1_000, 3, Reason.LEFT, "m2", "client app"),
                new HistoryEntry(3, 2_000, 3, Reason.TASKS_ORPHANED, "", "tasks 0_1 wait"));

        assertThat(GroupText.history("orders", entries).lines())
                .first()
                .isEqualTo("Group orders last rebalanced at 1970-01-01T00:00:01Z to epoch 3, because: left (member m2):"
                        + " client app");
    }

    @Test
    void history_ofADeletedGroup_saysSo() {
        HistoryEntry end = new HistoryEntry(2, 2_000, 4, HistoryEntry.Reason.DELETED, "", "given back to the brokers");

        assertThat(GroupText.history("orders", List.of(end)).lines())
                .first()
                .isEqualTo("Group orders was deleted at 1970-01-01T00:00:02Z: given back to the brokers");
    }
}
