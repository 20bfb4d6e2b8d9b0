package io.muster.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Bytes;
import io.muster.core.Claim;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClientInfo;
import io.muster.core.CommitConnection;
import io.muster.core.CommonRecord;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.Endpoint;
import io.muster.core.GroupRecord;
import io.muster.core.HistoryEntry;
import io.muster.core.MemberProfile;
import io.muster.core.PartitionRacks;
import io.muster.core.Partitions;
import io.muster.core.ShardTime;
import io.muster.core.StreamsGroupRecord;
import io.muster.core.TaskAssignment;
import io.muster.core.TaskOffset;
import io.muster.core.TopicInfo;
import io.muster.core.Topology;
import io.muster.core.Topology.CopartitionGroup;
import io.muster.core.Topology.InternalTopic;
import io.muster.core.Topology.Subtopology;
import io.muster.raft.EntryApplier;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.LogEntry;
import io.muster.runtime.RecordBatch;
import io.muster.runtime.ShardChange;
import io.muster.runtime.Token;
import io.muster.storage.AppliedIndex;
import io.muster.storage.InMemoryShardStore;
import io.muster.storage.StoreBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Compares the keys and values of every kind of record, of what the guard keeps and of an entry with those in {@code
 * golden/stored-format.txt}. What is written there must be read for ever: lines may be added, and none may change. Run with
 * {@code -Dgolden.update=true} to write the file anew.
 */
final class StoredFormatTest {
    private static final Path FILE = Path.of("src", "test", "resources", "golden", "stored-format.txt");
    private static final UUID TOPIC = new UUID(0x0102030405060708L, 0x090a0b0c0d0e0f10L);
    private static final Partitions<UUID> PARTITIONS = Partitions.copyOf(Map.of(TOPIC, List.of(0, 300)));
    private static final ClientInfo CLIENT = new ClientInfo("client", "/10.0.0.1");
    private static final String GROUP = "group";

    @Test
    void format_isTheOneThatIsPinned() throws IOException {
        // When
        List<String> lines = new ArrayList<>();
        samples().forEach(record -> lines.addAll(linesOf(record)));
        lines.addAll(linesOfTheStore());

        // Then
        if (Boolean.getBoolean("golden.update")) {
            Files.write(FILE, lines);
        }
        assertThat(lines).isEqualTo(Files.readAllLines(FILE));
    }

    @Test
    void pinnedValues_areReadAsTheRecordsThatTheyWereWrittenFor() throws IOException {
        List<GroupRecord> read = new ArrayList<>();
        for (String line : Files.readAllLines(FILE)) {
            String[] words = line.split(" ", -1);
            if (words[1].equals("put")) {
                HexFormat hex = HexFormat.of();
                read.add(GroupRecordCodec.decode(hex.parseHex(words[2]), hex.parseHex(words[3])));
            }
        }

        assertThat(samples()).containsAll(read);
        assertThat(read).isNotEmpty();
    }

    @Test
    void samples_areOfEveryKind() {
        Set<String> kinds = new TreeSet<>();
        samples().forEach(record -> kinds.add(kindOf(record)));
        Set<String> all = new TreeSet<>();
        for (Class<?> family : GroupRecord.class.getPermittedSubclasses()) {
            for (Class<?> kind : family.getPermittedSubclasses()) {
                all.add(nameOf(family) + "." + kind.getSimpleName());
            }
        }
        assertThat(kinds).isEqualTo(all);
    }

    private static String kindOf(GroupRecord record) {
        return nameOf(record.getClass().getInterfaces()[0]) + "."
                + record.getClass().getSimpleName();
    }

    /** What the file calls a family of records, whatever its class is called. */
    private static String nameOf(Class<?> family) {
        return family.getSimpleName().replace("GroupRecord", "Record");
    }

    private static List<String> linesOf(GroupRecord record) {
        StoreBatch writes = new StoreBatch();
        GroupRecordCodec.encode(record, writes);
        return writes.changes().stream()
                .map(change -> kindOf(record) + " " + text(change))
                .toList();
    }

    private static String text(StoreBatch.Change change) {
        if (change instanceof StoreBatch.Put put) {
            return "put " + hex(put.key()) + " " + hex(put.value());
        }
        return change instanceof StoreBatch.Delete delete
                ? "delete " + hex(delete.key())
                : "delete-prefix " + hex(((StoreBatch.DeletePrefix) change).prefix());
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** The bytes of an entry, and all that the store holds after it. */
    private static List<String> linesOfTheStore() {
        LogEntry entry = new LogEntry(
                7,
                300,
                List.of(
                        new RecordBatch(GROUP, Token.NONE, List.of(new ConsumerGroupRecord.GroupSet(1, 1, 0))),
                        new RecordBatch(
                                GROUP,
                                new Token(7, 300),
                                List.of(new CommonRecord.CommitConnectionSet(
                                        "m", new CommitConnection("c", new ShardTime(0, 7, 3)))))),
                new ShardChange(2, "mark", new ClusterIdentity("cluster", "incarnation", 3, List.of("n1", "n2"))));
        byte[] bytes = LogEntryCodec.encode(entry);
        InMemoryShardStore store = new InMemoryShardStore();
        new EntryApplier(store).apply(new AppliedIndex(7, 1), LogEntryCodec.decode(bytes));
        List<String> lines = new ArrayList<>(List.of("entry " + hex(bytes)));
        store.scan(new byte[0], (key, value) -> lines.add("store " + hex(key) + " " + hex(value)));
        return lines;
    }

    private static List<GroupRecord> samples() {
        List<GroupRecord> samples = new ArrayList<>(List.of(
                new CommonRecord.GroupDeleted(),
                new CommonRecord.ClaimSet(new Claim.None()),
                new CommonRecord.ClaimSet(new Claim.Lost("detail", true)),
                new CommonRecord.ClaimSet(new Claim.Held(new ClaimIdentity("claim", 5), 1_800_000)),
                new CommonRecord.HistoryAppended(
                        new HistoryEntry(101, 1_700_000_000_000L, 9, HistoryEntry.Reason.JOINED, "m", "detail")),
                new CommonRecord.HistoryForgotten(),
                new CommonRecord.ConfigsSet(new TreeMap<>(Map.of("a", "1", "b", "2"))),
                new CommonRecord.TopicBasisSet(new TreeMap<>(Map.of(
                        "orders",
                        new TopicInfo(
                                "orders", TOPIC, 2, PartitionRacks.of(List.of(List.of("r1"), List.of("r1", "r2"))))))),
                new CommonRecord.CommitConnectionSet("m", new CommitConnection("connection", new ShardTime(2, 7, 3)))));
        samples.addAll(consumerSamples());
        samples.addAll(streamsSamples());
        return samples;
    }

    private static List<GroupRecord> consumerSamples() {
        return List.of(
                new ConsumerGroupRecord.GroupSet(9, 8, 1_700_000_000_000L),
                new ConsumerGroupRecord.MemberSet(
                        new MemberProfile.Details("m", "instance", "rack", CLIENT, 300_000),
                        List.of("b", "a"),
                        "x.*",
                        "uniform"),
                new ConsumerGroupRecord.MemberRemoved("m"),
                new ConsumerGroupRecord.PatternResolved("x.*", new TreeSet<>(Set.of("x1", "x2"))),
                new ConsumerGroupRecord.PatternForgotten("x.*"),
                new ConsumerGroupRecord.TargetSet("m", PARTITIONS),
                new ConsumerGroupRecord.CurrentSet(
                        "m", 9, 8, PARTITIONS, PARTITIONS, new TreeMap<>(Map.of(7, PARTITIONS))));
    }

    private static List<GroupRecord> streamsSamples() {
        Partitions<String> tasks = Partitions.copyOf(Map.of("0", List.of(0, 300)));
        TaskAssignment assignment = new TaskAssignment(tasks, tasks, tasks);
        InternalTopic internal = new InternalTopic("i", 2, 3, new TreeMap<>(Map.of("k", "v")));
        return List.of(
                new StreamsGroupRecord.GroupSet(
                        9, 8, 1_700_000_000_000L, 4, 3, 1, new TreeMap<>(Map.of("k", "v")), "m"),
                new StreamsGroupRecord.TopologySet(new Topology(
                        4,
                        List.of(new Subtopology(
                                "0",
                                List.of("in"),
                                List.of("x.*"),
                                List.of(internal),
                                List.of("sink"),
                                List.of(internal),
                                List.of(new CopartitionGroup(List.of(0), List.of(1), List.of(2))))))),
                new StreamsGroupRecord.TopologyForgotten(4),
                new StreamsGroupRecord.TopologyDescriptionSet(4, Bytes.copyOf(new byte[] {1, 2, 3})),
                new StreamsGroupRecord.MemberSet(
                        new MemberProfile.Details("m", "instance", "rack", CLIENT, 300_000),
                        4,
                        "process",
                        new Endpoint("host", 8080),
                        new TreeMap<>(Map.of("zone", "z1"))),
                new StreamsGroupRecord.TaskOffsetsSet(
                        "m", List.of(new TaskOffset("0", 1, 1L << 40)), List.of(new TaskOffset("0", 1, 1L << 41))),
                new StreamsGroupRecord.MemberRemoved("m"),
                new StreamsGroupRecord.TargetSet("m", assignment),
                new StreamsGroupRecord.CurrentSet("m", 9, 8, assignment, assignment));
    }
}
