package io.muster.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.PartitionRacks;
import io.muster.core.TopicInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class TopicRegistryTest {
    private static final UUID FIRST = new UUID(1, 1);
    private static final UUID SECOND = new UUID(2, 2);

    private final TopicRegistry registry = new TopicRegistry();

    @Test
    void absentTopic_isGone_afterTwoAnswersSomeSecondsApart() {
        registry.apply(present(orders(FIRST, 3)), 0);

        assertThat(registry.apply(absent("orders"), 1_000)).isEmpty();
        assertThat(registry.apply(absent("orders"), 1_500)).isEmpty();
        assertThat(registry.apply(absent("orders"), 3_000)).containsExactly("orders");

        assertThat(registry.catalogue().find("orders")).isEmpty();
        assertThat(registry.catalogue().knows("orders")).isTrue();
    }

    @Test
    void absentTopic_staysKnown_whenSeenInBetween() {
        registry.apply(present(orders(FIRST, 3)), 0);

        registry.apply(absent("orders"), 1_000);
        registry.apply(present(orders(FIRST, 3)), 2_000);

        assertThat(registry.apply(absent("orders"), 3_500)).isEmpty();
        assertThat(registry.catalogue().find("orders")).contains(orders(FIRST, 3));
    }

    @Test
    void topicThatNobodyWatches_isUnknownAgain_butKeepsItsName() {
        // Given
        registry.apply(present(orders(FIRST, 3)), 0);
        registry.apply(absent("payments"), 0);

        // When
        registry.watchOnly(Set.of());

        // Then
        assertThat(registry.catalogue().knows("orders")).isFalse();
        assertThat(registry.catalogue().find("orders")).isEmpty();
        assertThat(registry.catalogue().names()).containsEntry(FIRST, "orders");
        assertThat(registry.catalogue().knows("payments")).isFalse();
        assertThat(registry.apply(present(orders(FIRST, 3)), 1)).containsExactly("orders");
    }

    @Test
    void deletedTopic_isGoneAtOnce() {
        registry.apply(present(orders(FIRST, 3)), 0);

        assertThat(registry.apply(new TopicReport(List.of(), Set.of("orders"), Set.of("orders")), 10))
                .containsExactly("orders");
    }

    @Test
    void unknownTopic_isAbsentAtOnce_andExistsAtOnce() {
        assertThat(registry.apply(absent("orders"), 0)).containsExactly("orders");
        assertThat(registry.apply(present(orders(FIRST, 1)), 1)).containsExactly("orders");
    }

    @Test
    void partitionCount_neverFallsUnderTheSameId() {
        registry.apply(present(orders(FIRST, 4)), 0);

        assertThat(registry.apply(present(orders(FIRST, 3)), 1)).isEmpty();
        assertThat(registry.apply(present(orders(FIRST, 6)), 2)).containsExactly("orders");
    }

    @Test
    void laggingBroker_doesNotBringARecreatedTopicsFormerIdBack() {
        registry.apply(present(orders(FIRST, 3)), 0);
        assertThat(registry.apply(present(orders(SECOND, 1)), 1_000)).containsExactly("orders");

        assertThat(registry.apply(present(orders(FIRST, 3)), 1_100)).isEmpty();
        registry.apply(present(orders(SECOND, 1)), 2_000);
        assertThat(registry.apply(present(orders(FIRST, 3)), 4_000)).isEmpty();

        assertThat(registry.catalogue().find("orders")).contains(orders(SECOND, 1));
    }

    @Test
    void formerIds_areNotRememberedForEver() {
        // When
        for (int i = 0; i <= TopicRegistry.PAST_IDS_KEPT + 1; i++) {
            registry.apply(present(orders(new UUID(3, i), 1)), i);
        }

        // Then
        assertThat(registry.apply(present(orders(new UUID(3, 1), 1)), 5_000)).isEmpty();
        assertThat(registry.apply(present(orders(new UUID(3, 0), 1)), 5_000)).containsExactly("orders");
    }

    @Test
    void formerId_comesBack_whenItWasTheLatterThatLagged() {
        registry.apply(present(orders(FIRST, 3)), 0);
        registry.apply(present(orders(SECOND, 1)), 1_000);

        registry.apply(present(orders(FIRST, 3)), 2_000);

        assertThat(registry.apply(present(orders(FIRST, 3)), 4_500)).containsExactly("orders");
        assertThat(registry.catalogue().find("orders")).contains(orders(FIRST, 3));
    }

    @Test
    void answerThatATopicIsAbsent_isNoneThatItsFormerIdIsBack() {
        registry.apply(present(orders(FIRST, 3)), 0);
        registry.apply(present(orders(SECOND, 1)), 1_000);

        registry.apply(absent("orders"), 2_000);

        assertThat(registry.apply(present(orders(FIRST, 3)), 4_500)).isEmpty();
        assertThat(registry.catalogue().find("orders")).contains(orders(SECOND, 1));
        assertThat(registry.apply(absent("orders"), 5_000)).isEmpty();
        assertThat(registry.catalogue().find("orders")).contains(orders(SECOND, 1));
    }

    @Test
    void racks_changeAfterTwoAgreeingAnswers_andAreNotForgotten() {
        registry.apply(present(ordersIn("a", "b")), 0);

        assertThat(registry.apply(present(ordersIn("b", "b")), 1_000)).isEmpty();
        assertThat(registry.apply(present(ordersIn("a", "b")), 2_000)).isEmpty();
        assertThat(registry.apply(present(ordersIn("b", "b")), 3_000)).isEmpty();
        assertThat(registry.apply(present(orders(FIRST, 2)), 4_000)).isEmpty();
        assertThat(registry.catalogue().find("orders")).contains(ordersIn("a", "b"));
        registry.apply(present(ordersIn("b", "b")), 5_000);
        assertThat(registry.apply(present(ordersIn("b", "b")), 7_000)).containsExactly("orders");

        assertThat(registry.catalogue().find("orders")).contains(ordersIn("b", "b"));
    }

    @Test
    void racks_thatWereUnknown_areTakenAtOnce_andKeptWhenPartitionsAreAdded() {
        registry.apply(present(orders(FIRST, 2)), 0);

        assertThat(registry.apply(present(ordersIn("a", "b")), 1)).containsExactly("orders");
        assertThat(registry.apply(present(orders(FIRST, 3)), 2)).containsExactly("orders");

        assertThat(registry.catalogue().find("orders"))
                .contains(orders(FIRST, 3).withRacks(ordersIn("a", "b").racks()));
    }

    /** Two partitions, each in one rack. */
    private static TopicInfo ordersIn(String first, String second) {
        return orders(FIRST, 2).withRacks(PartitionRacks.of(List.of(Set.of(first), Set.of(second))));
    }

    private static TopicInfo orders(UUID id, int partitions) {
        return new TopicInfo("orders", id, partitions);
    }

    private static TopicReport present(TopicInfo... topics) {
        return new TopicReport(Arrays.asList(topics), Set.of(), Set.of());
    }

    private static TopicReport absent(String... names) {
        return new TopicReport(List.of(), Set.of(names), Set.of());
    }
}
