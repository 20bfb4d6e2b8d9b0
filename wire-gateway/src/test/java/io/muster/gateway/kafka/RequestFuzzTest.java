package io.muster.gateway.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * Requests of any bytes to every API that is not simply passed on: an answer that can be written, or the one exception that closes
 * their connection. {@code -Djqwik.tries.default=N} for longer runs. A failure is made as small as it gets, printed with its seed, and
 * tried first in the next run.
 */
class RequestFuzzTest {
    private static final int MOST_EDITS = 4;

    private final FuzzedGroups groups = new FuzzedGroups();
    private final FuzzedSession session = new FuzzedSession(groups);
    private final List<ApiKeys> apis = Stream.of(ApiKeys.values())
            .filter(api -> session.apis().contains(api))
            .toList();

    @Property
    void requests_wellFormedOrChanged_areAnsweredPassedOrMalformed(@ForAll("frames") String frame) {
        int before = groups.commands;
        String outcome = outcome(HexFormat.of().parseHex(frame));
        Statistics.label("outcome").collect(outcome);
        Statistics.label("outcome").coverage(seen -> {
            seen.check("answered").count(count -> count > 0);
            seen.check("passed").count(count -> count > 0);
            seen.check("malformed").count(count -> count > 0);
        });
        Statistics.label("reaches the coordinator").collect(groups.commands > before);
        Statistics.label("reaches the coordinator")
                .coverage(seen -> seen.check(true).count(count -> count > 0));
    }

    /** In hexadecimal, as the corpus is kept, so that a failure can be put there. */
    @Provide
    Arbitrary<String> frames() {
        Arbitrary<byte[]> wellFormed = Combinators.combine(Arbitraries.of(apis), Arbitraries.longs())
                .as((api, seed) -> new RandomRequests(new Random(seed)).frame(api));
        return Combinators.combine(wellFormed, ByteEdit.any().list().ofMaxSize(MOST_EDITS))
                .as(RequestFuzzTest::changed);
    }

    @Example
    void requests_ofTheCorpus_areAnsweredPassedOrMalformed() throws IOException {
        List<String> corpus = corpus();
        assertThat(corpus).isNotEmpty();
        for (String line : corpus) {
            assertThat(outcome(HexFormat.of().parseHex(line))).as(line).isNotEmpty();
        }
    }

    private static String changed(byte[] wellFormed, List<ByteEdit> edits) {
        byte[] bytes = wellFormed;
        for (ByteEdit edit : edits) {
            bytes = edit.of(bytes);
        }
        return HexFormat.of().formatHex(bytes);
    }

    private String outcome(byte[] frame) {
        try {
            KafkaRequest request = KafkaRequest.parse(ByteBuffer.wrap(frame));
            session.dispatcher().concern(request);
            Optional<ApiMessage> late = session.dispatcher().late(request);
            late.ifPresent(answer -> write(request, answer));
            Route route = session.dispatcher().route(request, session);
            if (!(route instanceof Route.Answer answer)) {
                return "passed";
            }
            answer.late().ifPresent(message -> write(request, message.get()));
            var written = answer.message().thenAccept(message -> write(request, message));
            if (!answer.message().isDone()) {
                return "waits";
            }
            written.join();
            return "answered";
        } catch (MalformedRequestException e) {
            assertThat(e.getMessage()).isNotNull();
            return "malformed";
        }
    }

    private static void write(KafkaRequest request, ApiMessage message) {
        assertThat(KafkaFrames.response(request, message, ByteBuffer::allocate).position())
                .isPositive();
    }

    private static List<String> corpus() throws IOException {
        try (var in = RequestFuzzTest.class.getResourceAsStream("/fuzz/requests.hex")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }
}
