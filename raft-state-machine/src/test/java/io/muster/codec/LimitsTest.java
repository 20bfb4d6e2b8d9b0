package io.muster.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.core.ConsumerGroupRecord;
import io.muster.core.GroupRecord;
import io.muster.core.Limits;
import io.muster.core.Partitions;
import io.muster.runtime.LogEntry;
import io.muster.runtime.RecordBatch;
import io.muster.runtime.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is large and legal fits. */
final class LimitsTest {
    private static final int MEMBERS = 1_000;
    private static final int TOPICS = 4_000;
    private static final int PARTITIONS_OF_A_TOPIC = 100;

    @Test
    void targetOfAThousandMembers_overFourHundredThousandPartitions_fitsIntoAnEntry() {
        // Given partitions that are spread as uneven as can be: no two of a member are of one topic
        List<Map<UUID, List<Integer>>> targets = new ArrayList<>();
        for (int member = 0; member < MEMBERS; member++) {
            targets.add(new TreeMap<>());
        }
        int next = 0;
        for (int topic = 0; topic < TOPICS; topic++) {
            UUID id = new UUID(topic * 0x9E3779B97F4A7C15L, topic * 0xC2B2AE3D27D4EB4FL);
            for (int partition = 0; partition < PARTITIONS_OF_A_TOPIC; partition++) {
                targets.get(next++ % MEMBERS)
                        .computeIfAbsent(id, key -> new ArrayList<>())
                        .add(partition);
            }
        }

        // When
        List<GroupRecord> records = new ArrayList<>();
        for (int member = 0; member < MEMBERS; member++) {
            String memberId = "0123456789012345678901-%013d".formatted(member);
            records.add(new ConsumerGroupRecord.TargetSet(memberId, Partitions.copyOf(targets.get(member))));
        }
        byte[] bytes = LogEntryCodec.encode(new LogEntry(1, 1, List.of(new RecordBatch("g", Token.NONE, records))));

        // Then
        assertThat(bytes.length).isLessThan(Limits.DEFAULT.entryBytes());
    }

    @Test
    void limits_thatAreNotEachBelowTheNext_areRefused() {
        assertThatThrownBy(() -> new Limits(8, 8, 12, 1_000_000, 64))
                .hasMessageContaining("a client's request (8 bytes)");
        assertThatThrownBy(() -> new Limits(4, 12, 12, 1_000_000, 64)).hasMessageContaining("a message (12 bytes)");
        assertThatThrownBy(() -> new Limits(4, 8, 12, 16, 64)).hasMessageContaining("a log entry");
        assertThatThrownBy(() -> new Limits(4, 8, 12, 1_000_000, 8)).hasMessageContaining("an answer (8 bytes)");
    }
}
