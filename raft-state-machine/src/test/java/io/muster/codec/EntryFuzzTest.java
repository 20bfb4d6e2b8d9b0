package io.muster.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.GroupRecord;
import io.muster.raft.EntryApplier;
import io.muster.runtime.LogEntry;
import io.muster.runtime.RecordBatch;
import io.muster.runtime.ShardChange;
import io.muster.runtime.Token;
import io.muster.storage.AppliedIndex;
import io.muster.storage.InMemoryShardStore;
import io.muster.wire.MutatedBytes;
import io.muster.wire.RandomValues;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/**
 * Log entries of any bytes: a value, or the one exception that says that they are none. {@code -Djqwik.tries.default=N} for longer
 * runs. A failure is made as small as it gets, printed with its seed, and tried first in the next run.
 */
class EntryFuzzTest {
    @Property
    void decode_ofEntriesValidOrChanged_givesAValueOrSaysThatItIsNone(@ForAll("entries") String entry) {
        Statistics.label("an entry").collect(decodes(HexFormat.of().parseHex(entry)));
        Statistics.label("an entry").coverage(seen -> {
            seen.check(true).count(count -> count > 0);
            seen.check(false).count(count -> count > 0);
        });
    }

    @Provide
    Arbitrary<String> entries() {
        return MutatedBytes.of(Arbitraries.longs().map(seed -> LogEntryCodec.encode(entry(new Random(seed)))));
    }

    @Example
    void decode_ofTheCorpus_givesAValueOrSaysThatItIsNone() throws IOException {
        List<byte[]> corpus = MutatedBytes.corpus("/fuzz/entries.hex");
        assertThat(corpus).isNotEmpty();
        corpus.forEach(EntryFuzzTest::decodes);
    }

    /** Whether the bytes are an entry that may be appended; what one that may writes can be read afterwards. */
    private static boolean decodes(byte[] bytes) {
        WrittenEntry entry;
        try {
            entry = LogEntryCodec.decode(bytes);
            LogEntryCodec.requireReadable(bytes);
        } catch (UnknownRecordException e) {
            return false;
        }
        InMemoryShardStore store = new InMemoryShardStore();
        new EntryApplier(store).apply(new AppliedIndex(entry.evalTerm(), 0), entry);
        StoredRecords.forEachGroupId(store, groupId -> StoredRecords.load(store, groupId));
        return true;
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
}
