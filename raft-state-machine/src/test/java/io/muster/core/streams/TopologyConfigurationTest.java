package io.muster.core.streams;

import static io.muster.core.streams.TopologyNotation.subtopology;
import static io.muster.core.streams.TopologyNotation.topology;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.KnownTopics;
import io.muster.core.Response.StreamsStatus;
import io.muster.core.Response.StreamsStatus.Code;
import io.muster.core.TopicCatalogue;
import io.muster.core.TopicCatalogue.Absent;
import io.muster.core.TopicCatalogue.Present;
import io.muster.core.TopicInfo;
import io.muster.core.Topology;
import io.muster.core.Topology.InternalTopic;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TopologyConfigurationTest {
    private final TreeMap<String, TopicCatalogue.Knowledge> topics = new TreeMap<>();
    private final TreeMap<String, TopicInfo> basis = new TreeMap<>();

    @Test
    void configure_withAllTopicsThere_countsTasksByTheLargestSource() {
        // Given
        exists("foo", 2);
        exists("bar", 5);

        // When
        ConfiguredTopology configured = configure(topology(7, subtopology("0", "foo", "bar")));

        // Then
        assertThat(configured.isReady()).isTrue();
        assertThat(configured.validatedEpoch()).isEqualTo(7);
        assertThat(configured.taskCounts()).containsEntry("0", 5);
    }

    @Test
    void configure_ofChain_derivesRepartitionAndChangelogCounts() {
        // Given
        exists("foo", 3);
        absent("rep1", "rep2", "log");

        // When
        ConfiguredTopology configured = configure(topology(
                0,
                subtopology("0", "foo", ">rep1"),
                subtopology("1", "*rep1", ">rep2"),
                subtopology("2", "*rep2", "+log")));

        // Then
        assertThat(problem(configured)).isEqualTo(Code.MISSING_INTERNAL_TOPICS);
        assertThat(configured.missing())
                .extracting(InternalTopic::name, InternalTopic::partitions)
                .containsExactly(row("log", 3), row("rep1", 3), row("rep2", 3));
        assertThat(configured.validatedEpoch()).isEqualTo(-1);
    }

    @Test
    void configure_whereTheReaderComesBeforeTheWriter_countsWithoutIt() {
        // Given
        exists("foo", 3);
        exists("bar", 1);
        absent("rep", "out");

        // When
        ConfiguredTopology configured = configure(topology(
                0, subtopology("0", "*rep", "bar", ">out"), subtopology("1", "foo", ">rep"), subtopology("2", "*out")));

        // Then
        assertThat(configured.missing())
                .extracting(InternalTopic::name, InternalTopic::partitions)
                .containsExactly(row("out", 1), row("rep", 3));
    }

    @Test
    void configure_ofLoopWithAnEntrance_takesTheEntrancesCount() {
        // Given
        exists("foo", 4);
        absent("rep");

        // When
        ConfiguredTopology configured = configure(topology(0, subtopology("0", "foo", "*rep", ">rep")));

        // Then
        assertThat(configured.missing())
                .extracting(InternalTopic::name, InternalTopic::partitions)
                .containsExactly(row("rep", 4));
    }

    @Test
    void configure_withFixedRepartition_keepsItsCount() {
        // Given
        exists("foo", 3);
        absent("rep", "log");

        // When
        ConfiguredTopology configured =
                configure(topology(0, subtopology("0", "foo", ">rep"), subtopology("1", "*rep=7", "+log")));

        // Then
        assertThat(configured.missing())
                .extracting(InternalTopic::name, InternalTopic::partitions)
                .containsExactly(row("log", 7), row("rep", 7));
    }

    @Test
    void configure_ofCopartitionWithExternalTopic_followsIt() {
        // Given
        exists("foo", 2);
        exists("bar", 5);
        absent("rep");

        // When
        ConfiguredTopology configured =
                configure(topology(0, subtopology("0", "foo", ">rep"), subtopology("1", "bar", "*rep", "~bar,rep")));

        // Then
        assertThat(configured.missing())
                .extracting(InternalTopic::name, InternalTopic::partitions)
                .containsExactly(row("rep", 5));
    }

    @Test
    void configure_ofCopartitionedRepartitions_takesTheLargest() {
        // Given
        exists("foo", 2);
        exists("bar", 6);
        absent("a", "b");

        // When
        ConfiguredTopology configured = configure(topology(
                0, subtopology("0", "foo", ">a"), subtopology("1", "bar", ">b"), subtopology("2", "*a", "*b", "~a,b")));

        // Then
        assertThat(configured.missing())
                .extracting(InternalTopic::name, InternalTopic::partitions)
                .containsExactly(row("a", 6), row("b", 6));
    }

    @Test
    void configure_ofCopartitionWithAFixedRepartition_followsIt() {
        // Given
        exists("foo", 2);
        exists("bar", 6);
        absent("a", "b");

        // When
        ConfiguredTopology configured = configure(topology(
                0,
                subtopology("0", "foo", ">a"),
                subtopology("1", "bar", ">b"),
                subtopology("2", "*a=4", "*b", "~a,b")));

        // Then
        assertThat(configured.missing())
                .extracting(InternalTopic::name, InternalTopic::partitions)
                .containsExactly(row("a", 4), row("b", 4));
    }

    @Test
    void configure_ofUnequalExternalCopartition_isWrong() {
        // Given
        exists("foo", 3);
        exists("bar", 2);

        // When
        ConfiguredTopology configured = configure(topology(0, subtopology("0", "foo", "bar", "~foo,bar")));

        // Then
        assertThat(configured.problem())
                .contains(new StreamsStatus(
                        Code.INCORRECTLY_PARTITIONED_TOPICS,
                        "Following topics do not have the same number of partitions: [{bar=2, foo=3}]"));
    }

    @Test
    void configure_ofUnequalFixedRepartitions_isWrong() {
        // Given
        exists("foo", 3);
        absent("a", "b");

        // When
        ConfiguredTopology configured =
                configure(topology(0, subtopology("0", "foo", ">a", ">b"), subtopology("1", "*a=4", "*b=5", "~a,b")));

        // Then
        assertThat(configured.problem())
                .contains(new StreamsStatus(
                        Code.INCORRECTLY_PARTITIONED_TOPICS,
                        "Following topics do not have the same number of partitions: [{a=4, b=5}]"));
    }

    @Test
    void configure_ofFixedRepartitionBesideAnotherCount_isWrong() {
        // Given
        exists("foo", 3);
        absent("rep");

        // When
        ConfiguredTopology configured =
                configure(topology(0, subtopology("0", "foo", ">rep"), subtopology("1", "foo", "*rep=4", "~foo,rep")));

        // Then
        assertThat(configured.problem())
                .contains(new StreamsStatus(
                        Code.INCORRECTLY_PARTITIONED_TOPICS,
                        "Number of partitions [4] of repartition topic [rep] doesn't match number of partitions [3] of the"
                                + " source topic."));
    }

    @Test
    void configure_withSeveralTopicsOfOtherCounts_complainsAboutTheOneThatKafkaFindsFirst() {
        // Given
        exists("foo", 3);
        exists("wordcount-count-changelog", 2);
        exists("wordcount-count-repartition", 2);

        // When
        ConfiguredTopology configured = configure(topology(
                0,
                subtopology("0", "foo", ">wordcount-count-repartition"),
                subtopology("1", "*wordcount-count-repartition", "+wordcount-count-changelog")));

        // Then
        assertThat(configured.problem().orElseThrow().detail())
                .startsWith("Existing topic wordcount-count-repartition ");
    }

    @Test
    void configure_withExistingInternalTopicOfAnotherCount_isWrong() {
        // Given
        exists("foo", 3);
        exists("log", 2);

        // When
        ConfiguredTopology configured = configure(topology(0, subtopology("0", "foo", "+log")));

        // Then
        assertThat(configured.problem())
                .contains(new StreamsStatus(
                        Code.INCORRECTLY_PARTITIONED_TOPICS,
                        "Existing topic log has different number of partitions: expected 3, found 2"));
    }

    @Test
    void configure_withFourMissingSources_namesThree() {
        // Given
        absent("n1", "n2", "n3", "n4");

        // When
        ConfiguredTopology configured = configure(topology(0, subtopology("0", "n4", "n2", "n1", "n3")));

        // Then
        assertThat(configured.problem())
                .contains(new StreamsStatus(
                        Code.MISSING_SOURCE_TOPICS, "Source topics n1, n2, n3 and 1 additional topics are missing."));
    }

    @Test
    void configure_withUnknownSource_isUndecidedAndCallsNothingMissing() {
        // Given
        exists("foo", 3);

        // When
        ConfiguredTopology configured = configure(topology(0, subtopology("0", "foo", "bar", "+log")));

        // Then
        assertThat(configured.isReady()).isFalse();
        assertThat(configured.problem()).isEmpty();
        assertThat(configured.missing()).isEmpty();
    }

    @Test
    void configure_withUnknownAndAbsentInternalTopics_createsTheAbsentOnly() {
        // Given
        exists("foo", 3);
        absent("log1");

        // When
        ConfiguredTopology configured = configure(topology(0, subtopology("0", "foo", "+log1", "+log2")));

        // Then
        assertThat(configured.missing()).extracting(InternalTopic::name).containsExactly("log1");
    }

    @Test
    void configure_ofTopicInTheBasisOnly_believesTheBasis() {
        // Given
        basis.put("foo", new TopicInfo("foo", new UUID(0, 1), 4));

        // When
        ConfiguredTopology configured = configure(topology(0, subtopology("0", "foo")));

        // Then
        assertThat(configured.taskCounts()).containsEntry("0", 4);
    }

    @Test
    void configure_ofTopicAbsentNowButInTheBasis_believesTheCatalogue() {
        // Given
        basis.put("foo", new TopicInfo("foo", new UUID(0, 1), 4));
        absent("foo");

        // When
        ConfiguredTopology configured = configure(topology(0, subtopology("0", "foo")));

        // Then
        assertThat(problem(configured)).isEqualTo(Code.MISSING_SOURCE_TOPICS);
    }

    @Test
    void configure_ofEmptyTopology_isReadyWithoutTasks() {
        // When
        ConfiguredTopology configured = configure(topology(0));

        // Then
        assertThat(configured.isReady()).isTrue();
        assertThat(configured.taskCounts()).isEmpty();
    }

    private ConfiguredTopology configure(Topology topology) {
        return TopologyConfiguration.configure(topology, new KnownTopics(new TopicCatalogue(topics), basis, true));
    }

    private void exists(String name, int partitions) {
        topics.put(name, new Present(new TopicInfo(name, new UUID(0, 1), partitions)));
    }

    private void absent(String... names) {
        for (String name : names) {
            topics.put(name, new Absent());
        }
    }

    private static Code problem(ConfiguredTopology configured) {
        return configured.problem().orElseThrow().code();
    }

    private static org.assertj.core.groups.Tuple row(String name, int partitions) {
        return org.assertj.core.api.Assertions.tuple(name, partitions);
    }
}
