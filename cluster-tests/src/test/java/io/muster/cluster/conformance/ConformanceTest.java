package io.muster.cluster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each case is run against a live Kafka 4.4.0, which must answer as expected, and through a gateway of a Muster cluster, which must
 * answer alike, or have a reason to answer otherwise and answer as is written for it. The system property {@code conformance.only} names the cases to run, as a regular
 * expression.
 */
class ConformanceTest {
    /** Kafka's look at empty groups every ten minutes would remove those that a case is about. */
    private static final KafkaSetup STOCK =
            KafkaSetup.of(KafkaVersion.V4_4).property("offsets.retention.check.interval.ms", "3600000");

    private static final Pattern ONLY = Pattern.compile(System.getProperty("conformance.only", ".*"));
    private static final List<ConformanceCase> CASES = ConformanceCase.all().stream()
            .filter(each -> ONLY.matcher(each.name()).matches())
            .toList();

    @RegisterExtension
    static final SharedKafka UPSTREAM = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    private static KafkaBrokers stock;
    private static MusterCluster muster;
    private static CaseRuns onKafka;
    private static CaseRuns throughMuster;

    @BeforeAll
    static void start() {
        stock = KafkaBrokers.start(STOCK);
        muster = MusterCluster.startOne(UPSTREAM.brokers());
        onKafka = CaseRuns.start(CASES, Target.firstOf(stock.bootstrap()));
        throughMuster = CaseRuns.start(CASES, Target.firstOf(muster.bootstrap()));
    }

    @AfterAll
    static void stop() {
        onKafka.close();
        throughMuster.close();
        muster.close();
        stock.close();
    }

    @Test
    void intendedDifferences_areThoseWithAnAnswerOfMusters() {
        // Given
        Set<String> names = ConformanceCase.all().stream()
                .filter(each -> each.ownOfMuster().isPresent())
                .map(ConformanceCase::name)
                .collect(Collectors.toSet());

        // Then
        assertThat(names).isEqualTo(IntendedDifferences.all().keySet());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void kafka_answersAsExpected(ConformanceCase script)
            throws ExecutionException, InterruptedException, TimeoutException {
        // When
        JsonNode transcript = onKafka.transcript(script);

        // Then
        assertThat(Transcripts.differences(script.expected(), transcript)).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void muster_answersAsKafkaOrAsItMeansTo(ConformanceCase script)
            throws ExecutionException, InterruptedException, TimeoutException {
        // When
        JsonNode transcript = throughMuster.transcript(script);

        // Then
        JsonNode expected = script.ownOfMuster().orElse(script.expected());
        assertThat(Transcripts.differences(expected, transcript)).isEmpty();
        if (script.ownOfMuster().isPresent()) {
            assertThat(Transcripts.differences(script.expected(), transcript))
                    .as(
                            "no longer differs, though: %s",
                            IntendedDifferences.all().get(script.name()))
                    .isNotEmpty();
        }
    }

    static Stream<ConformanceCase> cases() {
        return CASES.stream();
    }
}
