package io.muster.gateway.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.Test;

/**
 * Requests of any bytes to every API that is not simply passed on: an answer that can be written, or the one exception that closes
 * their connection. {@code -Dfuzz.rounds=N} for longer runs, {@code -Dfuzz.seed=S} to go on elsewhere.
 */
class RequestFuzzTest {
    private static final int ROUNDS = Integer.getInteger("fuzz.rounds", 10_000);
    private static final long FIRST_SEED = Long.getLong("fuzz.seed", 0);

    private final FuzzedGroups groups = new FuzzedGroups();
    private final FuzzedSession session = new FuzzedSession(groups);
    private final List<ApiKeys> apis = Stream.of(ApiKeys.values())
            .filter(api -> session.apis().contains(api))
            .toList();

    @Test
    void requests_wellFormedOrMutated_areAnsweredPassedOrMalformed() {
        int wellFormed = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++) {
            Random random = new Random(seed);
            ApiKeys api = apis.get(random.nextInt(apis.size()));
            byte[] frame = new RandomRequests(random).frame(api);
            if (random.nextInt(3) > 0) {
                frame = BentBytes.of(frame, random);
            } else {
                wellFormed++;
            }
            ask(frame, "seed " + seed);
        }
        assertThat(wellFormed).isPositive();
        assertThat(groups.commands).isPositive();
    }

    @Test
    void requests_ofTheCorpus_areAnsweredPassedOrMalformed() throws IOException {
        List<String> corpus = corpus();
        assertThat(corpus).isNotEmpty();
        corpus.forEach(line -> ask(HexFormat.of().parseHex(line), line));
    }

    private void ask(byte[] frame, String what) {
        try {
            KafkaRequest request = KafkaRequest.parse(ByteBuffer.wrap(frame));
            session.dispatcher().concern(request);
            Optional<ApiMessage> late = session.dispatcher().late(request);
            late.ifPresent(answer -> write(request, answer));
            Route route = session.dispatcher().route(request, session);
            if (route instanceof Route.Answer answer) {
                answer.late().ifPresent(message -> write(request, message));
                var unused = answer.message()
                        .thenAccept(message -> write(request, message))
                        .exceptionally(failure -> {
                            throw new AssertionError(what, failure);
                        });
                if (answer.message().isDone()) {
                    var unusedMessage = answer.message().join();
                }
            }
        } catch (MalformedRequestException e) {
            assertThat(e.getMessage()).isNotNull();
        } catch (RuntimeException | Error e) {
            fail(what + ": " + HexFormat.of().formatHex(frame), e);
        }
    }

    private static void write(KafkaRequest request, ApiMessage message) {
        assertThat(KafkaFrames.response(request.api(), request.answerVersion(), request.correlationId(), message)
                        .remaining())
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
