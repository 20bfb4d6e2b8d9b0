package io.muster.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.muster.codec.proto.Records;
import io.muster.codec.proto.Values;
import io.muster.core.CommonRecord;
import io.muster.core.CommonRecord.HistoryAppended;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.FeatureLevel;
import io.muster.core.Group;
import io.muster.core.GroupEngine;
import io.muster.core.GroupRecord;
import io.muster.core.HistoryEntry;
import io.muster.core.MemberProfile;
import io.muster.core.Partitions;
import io.muster.core.StreamsGroupRecord;
import io.muster.core.TopicInfo;
import io.muster.core.claim.ClaimLogic;
import io.muster.core.consumer.ConsumerGroupLogic;
import io.muster.core.streams.StreamsGroupLogic;
import io.muster.runtime.LogEntry;
import io.muster.runtime.RecordBatch;
import io.muster.runtime.ShardChange;
import io.muster.runtime.Token;
import io.muster.storage.AppliedIndex;
import io.muster.storage.InMemoryShardStore;
import io.muster.storage.StoreBatch;
import io.muster.wire.RandomValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class StoredRecordsTest {
    private static final String GROUP = "g";
    private static final int SEEDS = 200;

    private final ClaimLogic claims = new ClaimLogic();
    private final GroupEngine engine =
            new GroupEngine(new ConsumerGroupLogic(claims), new StreamsGroupLogic(claims), claims);

    @Test
    void everyRecord_survivesItsBytes() {
        for (Class<? extends GroupRecord> kind : kinds()) {
            for (long seed = 0; seed < 100; seed++) {
                GroupRecord record = wellFormed(new RandomValues(seed).next(kind));

                for (StoreBatch.Change change : writes(record).changes()) {
                    if (change instanceof StoreBatch.Put put) {
                        assertThat(GroupRecordCodec.decode(put.key(), put.value()))
                                .as("seed %d", seed)
                                .isEqualTo(record);
                    }
                }
            }
        }
    }

    @Test
    void entry_writesWhatItsRecordsWrite_underTheKeysOfTheirGroups() {
        for (long seed = 0; seed < 200; seed++) {
            // Given
            RandomValues values = new RandomValues(seed);
            List<GroupRecord> records =
                    kinds().stream().map(kind -> wellFormed(values.next(kind))).toList();
            LogEntry entry = new LogEntry(
                    7,
                    seed,
                    List.of(new RecordBatch("a", new Token(6, 9), records), new RecordBatch("b", Token.NONE, records)),
                    values.next(ShardChange.class));

            // When
            byte[] bytes = LogEntryCodec.encode(entry);
            WrittenEntry written = LogEntryCodec.decode(bytes);

            // Then
            assertThat(written.token()).isEqualTo(entry.token());
            assertThat(written.change()).isEqualTo(entry.change());
            for (int i = 0; i < 2; i++) {
                RecordBatch decided = entry.batches().get(i);
                WrittenEntry.WrittenBatch batch = written.batches().get(i);
                assertThat(batch.base()).isEqualTo(decided.base());
                assertThat(batch.next()).isEqualTo(decided.tokenAfter(entry.token()));
                InMemoryShardStore store = new InMemoryShardStore();
                StoreBatch changes = new StoreBatch();
                batch.writes().forEach(changes::add);
                store.apply(changes, new AppliedIndex(1, 0));
                InMemoryShardStore expected = new InMemoryShardStore();
                records.forEach(record -> write(expected, decided.groupId(), record));
                assertThat(store.digest()).as("seed %d", seed).isEqualTo(expected.digest());
            }
        }
    }

    @Test
    void topicOfTheFirstVersion_isReadAsOneOfUnknownRacks() {
        byte[] bytes = Records.Record.newBuilder()
                .setTopicBasisSet(Records.TopicBasisSet.newBuilder()
                        .addTopics(Values.TopicInfo.newBuilder()
                                .setName("orders")
                                .setIdLow(7)
                                .setPartitions(3)))
                .build()
                .toByteArray();

        GroupRecord record = GroupRecordCodec.decode(Section.TOPIC_BASIS.key(), bytes);

        assertThat(record)
                .isEqualTo(new CommonRecord.TopicBasisSet(
                        new TreeMap<>(Map.of("orders", new TopicInfo("orders", new UUID(0, 7), 3)))));
        assertThat(FeatureLevel.of(record)).isEqualTo(FeatureLevel.FIRST);
    }

    @Test
    void recordOfANewerVersion_isNotReadAsAnything() {
        byte[] unknown = Records.Record.newBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                1_000,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.EMPTY)
                                        .build())
                        .build())
                .build()
                .toByteArray();

        assertThatThrownBy(() -> GroupRecordCodec.decode(Section.GROUP.key(), unknown))
                .isInstanceOf(UnknownRecordException.class);
        assertThatThrownBy(() -> GroupRecordCodec.decode(Section.GROUP.key(), new byte[] {-1, -1, -1}))
                .isInstanceOf(UnknownRecordException.class);
    }

    @Test
    void foldOfWhatIsStored_isFoldOfWhatWasEmitted() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            InMemoryShardStore store = new InMemoryShardStore();
            Group emitted = Group.absent(GROUP);
            for (GroupRecord record : life(seed)) {
                emitted = engine.evolve(emitted, record);
                write(store, GROUP, record);
            }

            Group stored = Group.absent(GROUP);
            for (GroupRecord record : StoredRecords.load(store, GROUP).records()) {
                stored = engine.evolve(stored, record);
            }

            assertThat(stored).as("seed %d", seed).isEqualTo(emitted);
            assertThat(StoredRecords.exists(store, GROUP)).isEqualTo(emitted.exists());
        }
    }

    @Test
    void groupIds_areListedOnce_whateverTheyLookLike() {
        InMemoryShardStore store = new InMemoryShardStore();
        List<String> ids = List.of("a", "aa", "a\0", "ä", "g".repeat(200), "b");
        for (String id : ids) {
            write(store, id, new ConsumerGroupRecord.GroupSet(1, 1, 0));
            write(store, id, new ConsumerGroupRecord.TargetSet("m", Partitions.none()));
        }

        List<String> listed = new ArrayList<>();
        StoredRecords.forEachGroupId(store, listed::add);

        assertThat(listed).containsExactlyInAnyOrderElementsOf(ids);
    }

    private static StoreBatch writes(GroupRecord record) {
        StoreBatch writes = new StoreBatch();
        GroupRecordCodec.encode(record, writes);
        return writes;
    }

    private static void write(InMemoryShardStore store, String groupId, GroupRecord record) {
        LogEntry entry = new LogEntry(1, 1, List.of(new RecordBatch(groupId, Token.NONE, List.of(record))));
        StoreBatch changes = new StoreBatch();
        LogEntryCodec.decode(LogEntryCodec.encode(entry))
                .batches()
                .get(0)
                .writes()
                .forEach(changes::add);
        store.apply(changes, new AppliedIndex(1, store.appliedIndex().index() + 1));
    }

    /** A life of one group at a time, of either type: members come, move, go; the group is deleted and comes again. */
    private static List<GroupRecord> life(long seed) {
        Random random = new Random(seed);
        RandomValues values = new RandomValues(seed);
        List<GroupRecord> records = new ArrayList<>();
        long sequence = 0;
        for (int part = 0; part < 1 + random.nextInt(3); part++) {
            boolean consumer = random.nextBoolean();
            records.add(
                    consumer
                            ? values.next(ConsumerGroupRecord.GroupSet.class)
                            : values.next(StreamsGroupRecord.GroupSet.class));
            SortedMap<String, Boolean> members = new TreeMap<>();
            for (int step = 0; step < 5 + random.nextInt(40); step++) {
                if (random.nextInt(3) == 0) {
                    sequence++;
                    records.add(new HistoryAppended(
                            new HistoryEntry(sequence, step, step, HistoryEntry.Reason.JOINED, "m", "detail " + step)));
                } else {
                    records.addAll(step(random, values, consumer, members));
                }
            }
            if (random.nextInt(3) > 0) {
                records.add(new CommonRecord.GroupDeleted());
                if (random.nextInt(3) == 0) {
                    records.add(new CommonRecord.HistoryForgotten());
                    sequence = 0;
                }
            }
            if (records.get(records.size() - 1) instanceof CommonRecord.GroupDeleted
                    || records.get(records.size() - 1) instanceof CommonRecord.HistoryForgotten) {
                continue;
            }
            break;
        }
        return records;
    }

    private static List<GroupRecord> step(
            Random random, RandomValues values, boolean consumer, SortedMap<String, Boolean> members) {
        String id = "m" + random.nextInt(5);
        if (random.nextInt(5) == 0) {
            List<Class<? extends GroupRecord>> common = List.of(
                    CommonRecord.ClaimSet.class, CommonRecord.ConfigsSet.class, CommonRecord.TopicBasisSet.class);
            return List.of(wellFormed(values.next(common.get(random.nextInt(common.size())))));
        }
        if (!members.containsKey(id)) {
            members.put(id, true);
            return List.of(consumer ? consumerMember(values, id) : streamsMember(values, id));
        }
        if (random.nextInt(4) == 0) {
            members.remove(id);
            return List.of(
                    consumer ? new ConsumerGroupRecord.MemberRemoved(id) : new StreamsGroupRecord.MemberRemoved(id));
        }
        return List.of(consumer ? consumerChange(random, values, id) : streamsChange(random, values, id));
    }

    private static GroupRecord consumerMember(RandomValues values, String id) {
        ConsumerGroupRecord.MemberSet set = values.next(ConsumerGroupRecord.MemberSet.class);
        return new ConsumerGroupRecord.MemberSet(
                new MemberProfile.Details(id, null, set.rackId(), set.client(), set.rebalanceTimeoutMillis()),
                set.subscribedTopicNames(),
                set.subscribedTopicRegex(),
                set.serverAssignor());
    }

    private static GroupRecord consumerChange(Random random, RandomValues values, String id) {
        return random.nextBoolean()
                ? new ConsumerGroupRecord.TargetSet(
                        id, values.next(ConsumerGroupRecord.TargetSet.class).partitions())
                : consumerMember(values, id);
    }

    private static GroupRecord streamsMember(RandomValues values, String id) {
        StreamsGroupRecord.MemberSet set = values.next(StreamsGroupRecord.MemberSet.class);
        return new StreamsGroupRecord.MemberSet(
                new MemberProfile.Details(id, null, set.rackId(), set.client(), set.rebalanceTimeoutMillis()),
                set.topologyEpoch(),
                set.processId(),
                set.userEndpoint(),
                set.clientTags());
    }

    private static GroupRecord streamsChange(Random random, RandomValues values, String id) {
        return switch (random.nextInt(4)) {
            case 0 ->
                new StreamsGroupRecord.TargetSet(
                        id, values.next(StreamsGroupRecord.TargetSet.class).tasks());
            case 1 -> {
                StreamsGroupRecord.TaskOffsetsSet set = values.next(StreamsGroupRecord.TaskOffsetsSet.class);
                yield new StreamsGroupRecord.TaskOffsetsSet(id, set.offsets(), set.endOffsets());
            }
            case 2 -> {
                StreamsGroupRecord.CurrentSet set = values.next(StreamsGroupRecord.CurrentSet.class);
                yield new StreamsGroupRecord.CurrentSet(
                        id, set.memberEpoch(), set.previousMemberEpoch(), set.assigned(), set.pendingRevocation());
            }
            default -> streamsMember(values, id);
        };
    }

    /** Topics lie under their own names. */
    private static GroupRecord wellFormed(GroupRecord record) {
        if (!(record instanceof CommonRecord.TopicBasisSet basis)) {
            return record;
        }
        SortedMap<String, TopicInfo> topics = new TreeMap<>();
        basis.topics().values().forEach(topic -> topics.put(topic.name(), topic));
        return new CommonRecord.TopicBasisSet(topics);
    }

    private static List<Class<? extends GroupRecord>> kinds() {
        List<Class<? extends GroupRecord>> kinds = new ArrayList<>();
        for (Class<?> family : GroupRecord.class.getPermittedSubclasses()) {
            for (Class<?> kind : family.getPermittedSubclasses()) {
                kinds.add(kind.asSubclass(GroupRecord.class));
            }
        }
        return kinds;
    }
}
