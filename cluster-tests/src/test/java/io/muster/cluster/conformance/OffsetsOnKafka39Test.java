package io.muster.cluster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Before an upstream that knows offsets by topic name only, and in older versions, clients get the answers of Kafka 4.4.0 in every
 * version that Muster offers them, and classic members take and leave groups alike.
 */
class OffsetsOnKafka39Test {
    private static final Pattern CASES = Pattern.compile(
            "offsets-(consumer|streams)-((empty-)?commit-every-version|fetch-every-version|fetch-pending)|offsets-consumer-late-epoch"
                    + "|offsets-v10-odd-ids|classic-join-order-on-modern|classic-takes-empty-modern"
                    + "|classic-empty-classic-group-is-taken");

    @RegisterExtension
    static final SharedKafka UPSTREAM = new SharedKafka(KafkaSetup.of(KafkaVersion.V3_9));

    private static MusterCluster muster;
    private static CaseRuns runs;

    @BeforeAll
    static void start() {
        muster = MusterCluster.startOne(UPSTREAM.brokers());
        runs = CaseRuns.start(cases().toList(), Target.firstOf(muster.bootstrap()));
    }

    @AfterAll
    static void stop() {
        runs.close();
        muster.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void offsets_areAnsweredAsKafkaDoes(ConformanceCase script)
            throws ExecutionException, InterruptedException, TimeoutException {
        // When
        List<String> differences = Transcripts.differences(script.expected(), runs.transcript(script));

        // Then
        assertThat(differences).isEmpty();
    }

    static Stream<ConformanceCase> cases() {
        return ConformanceCase.all().stream()
                .filter(each -> CASES.matcher(each.name()).matches());
    }
}
