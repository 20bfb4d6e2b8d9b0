package io.muster.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.muster.core.GroupRecord;
import io.muster.runtime.LogEntry;
import io.muster.runtime.RecordBatch;
import io.muster.runtime.ShardChange;
import io.muster.runtime.Token;
import io.muster.wire.MutatedBytes;
import io.muster.wire.RandomValues;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Log entries of any bytes: a value, or the one exception that says that they are none. {@code -Dfuzz.rounds=N} for longer runs,
 * {@code -Dfuzz.seed=S} to go on elsewhere.
 */
class EntryFuzzTest {
    private static final int ROUNDS = Integer.getInteger("fuzz.rounds", 5_000);
    private static final long FIRST_SEED = Long.getLong("fuzz.seed", 0);

    @Test
    void decode_ofMutatedEntries_givesAValueOrSaysThatItIsNone() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++) {
            Random random = new Random(seed);
            byte[] bytes = MutatedBytes.of(LogEntryCodec.encode(entry(random)), random);
            decode(bytes, "seed " + seed);
        }
    }

    @Test
    void decode_ofTheCorpus_givesAValueOrSaysThatItIsNone() throws IOException {
        List<String> corpus = corpus();
        assertThat(corpus).isNotEmpty();
        corpus.forEach(line -> decode(HexFormat.of().parseHex(line), line));
    }

    private static void decode(byte[] bytes, String what) {
        LogEntry entry;
        try {
            entry = LogEntryCodec.decode(bytes);
        } catch (UnknownRecordException e) {
            return;
        } catch (RuntimeException | Error e) {
            fail(what + ": " + HexFormat.of().formatHex(bytes), e);
            return;
        }
        assertThat(LogEntryCodec.decode(LogEntryCodec.encode(entry))).as(what).isEqualTo(entry);
    }

    private static LogEntry entry(Random random) {
        RandomValues values = new RandomValues(random.nextLong());
        List<RecordBatch> batches = new ArrayList<>();
        for (int batch = random.nextInt(3); batch >= 0; batch--) {
            List<GroupRecord> records = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                records.add(values.next(GroupRecord.class));
            }
            batches.add(new RecordBatch("group-" + batch, new Token(random.nextInt(9), random.nextInt(99)), records));
        }
        return new LogEntry(random.nextInt(9), random.nextInt(99), batches, values.next(ShardChange.class));
    }

    private static List<String> corpus() throws IOException {
        try (var in = EntryFuzzTest.class.getResourceAsStream("/fuzz/entries.hex")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }
}
