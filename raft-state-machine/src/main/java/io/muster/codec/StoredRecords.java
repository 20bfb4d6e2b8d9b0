package io.muster.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import io.muster.codec.proto.Records;
import io.muster.core.Claim;
import io.muster.core.CommonRecord;
import io.muster.core.ConsumerRecord;
import io.muster.core.FeatureLevel;
import io.muster.core.GroupRecord;
import io.muster.core.HistoryEntry;
import io.muster.core.StreamsRecord;
import io.muster.runtime.AppliedGroups.StoredGroup;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.Token;
import io.muster.storage.ShardStore;
import io.muster.storage.StoreBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Where records lie in the store. A key is {@code 'g'}, the group id (length first), the section, and within it a member id or a
 * number. Sections are in an order in which a group can be folded: the whole group before its members, a member before what is
 * said of it.
 */
public final class StoredRecords {
    private static final int CLAIM_MARKS_KEPT = 100;

    /** A part of a group's keys; the order is that of the store, and the codes never change. */
    private enum Section {
        /** Outlives the group. */
        CONFIGS(10),
        /** Outlives the group. */
        HISTORY(11),
        TOKEN(20),
        CLAIM(21),
        TOPIC_BASIS(22),
        GROUP(30),
        TOPOLOGY(31),
        TOPOLOGY_DESCRIPTION(32),
        PATTERN(33),
        MEMBER(40),
        TASK_OFFSETS(41),
        TARGET(42),
        CURRENT(43),
        COMMIT_CONNECTION(44);

        private final int code;

        Section(int code) {
            this.code = code;
        }
    }

    private static final Section[] GONE_WITH_THE_GROUP = {
        Section.TOKEN,
        Section.CLAIM,
        Section.TOPIC_BASIS,
        Section.GROUP,
        Section.TOPOLOGY,
        Section.TOPOLOGY_DESCRIPTION,
        Section.PATTERN,
        Section.MEMBER,
        Section.TASK_OFFSETS,
        Section.TARGET,
        Section.CURRENT,
        Section.COMMIT_CONNECTION
    };

    private static final Section[] GONE_WITH_A_MEMBER = {
        Section.MEMBER, Section.TASK_OFFSETS, Section.TARGET, Section.CURRENT, Section.COMMIT_CONNECTION
    };

    private StoredRecords() {}

    /** Adds what a record changes in the store. */
    public static void change(StoreBatch batch, String groupId, GroupRecord record) {
        if (record instanceof CommonRecord.GroupDeleted) {
            for (Section section : GONE_WITH_THE_GROUP) {
                batch.deletePrefix(sectionKey(groupId, section));
            }
        } else if (record instanceof CommonRecord.HistoryForgotten) {
            batch.deletePrefix(sectionKey(groupId, Section.HISTORY));
        } else if (record instanceof ConsumerRecord.MemberRemoved removed) {
            removeMember(batch, groupId, removed.memberId());
        } else if (record instanceof StreamsRecord.MemberRemoved removed) {
            removeMember(batch, groupId, removed.memberId());
        } else if (record instanceof ConsumerRecord.PatternForgotten forgotten) {
            batch.delete(memberKey(groupId, Section.PATTERN, forgotten.pattern()));
        } else if (record instanceof StreamsRecord.TopologyForgotten forgotten) {
            batch.delete(numberKey(groupId, Section.TOPOLOGY, forgotten.topologyEpoch()));
            batch.delete(numberKey(groupId, Section.TOPOLOGY_DESCRIPTION, forgotten.topologyEpoch()));
        } else {
            batch.put(keyOf(groupId, record), GroupRecordCodec.encode(record));
            dropOldHistory(batch, groupId, record);
        }
    }

    private static void removeMember(StoreBatch batch, String groupId, String memberId) {
        for (Section section : GONE_WITH_A_MEMBER) {
            batch.delete(memberKey(groupId, section, memberId));
        }
    }

    private static void dropOldHistory(StoreBatch batch, String groupId, GroupRecord record) {
        if (record instanceof CommonRecord.HistoryAppended appended
                && appended.entry().sequence() > HistoryEntry.LIMIT) {
            batch.delete(numberKey(groupId, Section.HISTORY, appended.entry().sequence() - HistoryEntry.LIMIT));
        }
    }

    private static byte[] keyOf(String groupId, GroupRecord record) {
        if (record instanceof CommonRecord common) {
            return commonKey(groupId, common);
        }
        if (record instanceof ConsumerRecord.MemberSet set) {
            return memberKey(groupId, Section.MEMBER, set.memberId());
        }
        if (record instanceof ConsumerRecord.PatternResolved resolved) {
            return memberKey(groupId, Section.PATTERN, resolved.pattern());
        }
        if (record instanceof ConsumerRecord.TargetSet set) {
            return memberKey(groupId, Section.TARGET, set.memberId());
        }
        if (record instanceof ConsumerRecord.CurrentSet set) {
            return memberKey(groupId, Section.CURRENT, set.memberId());
        }
        return record instanceof StreamsRecord streams
                ? streamsKey(groupId, streams)
                : sectionKey(groupId, Section.GROUP);
    }

    private static byte[] commonKey(String groupId, CommonRecord record) {
        if (record instanceof CommonRecord.HistoryAppended appended) {
            return numberKey(groupId, Section.HISTORY, appended.entry().sequence());
        }
        if (record instanceof CommonRecord.ConfigsSet) {
            return sectionKey(groupId, Section.CONFIGS);
        }
        if (record instanceof CommonRecord.CommitConnectionSet set) {
            return memberKey(groupId, Section.COMMIT_CONNECTION, set.memberId());
        }
        return sectionKey(groupId, record instanceof CommonRecord.ClaimSet ? Section.CLAIM : Section.TOPIC_BASIS);
    }

    private static byte[] streamsKey(String groupId, StreamsRecord record) {
        if (record instanceof StreamsRecord.MemberSet set) {
            return memberKey(groupId, Section.MEMBER, set.memberId());
        }
        if (record instanceof StreamsRecord.TaskOffsetsSet set) {
            return memberKey(groupId, Section.TASK_OFFSETS, set.memberId());
        }
        if (record instanceof StreamsRecord.TargetSet set) {
            return memberKey(groupId, Section.TARGET, set.memberId());
        }
        if (record instanceof StreamsRecord.CurrentSet set) {
            return memberKey(groupId, Section.CURRENT, set.memberId());
        }
        if (record instanceof StreamsRecord.TopologySet set) {
            return numberKey(groupId, Section.TOPOLOGY, set.topology().epoch());
        }
        if (record instanceof StreamsRecord.TopologyDescriptionSet set) {
            return numberKey(groupId, Section.TOPOLOGY_DESCRIPTION, set.topologyEpoch());
        }
        return sectionKey(groupId, Section.GROUP);
    }

    /** Adds the group's new token; none for a deleted group. */
    public static void setToken(StoreBatch batch, String groupId, Token token) {
        byte[] key = sectionKey(groupId, Section.TOKEN);
        if (token.equals(Token.NONE)) {
            batch.delete(key);
        } else {
            batch.put(key, TokenCodec.encode(token));
        }
    }

    /** The group's token as it is stored. */
    public static Token tokenOf(ShardStore store, String groupId) {
        return store.get(sectionKey(groupId, Section.TOKEN))
                .map(TokenCodec::decode)
                .orElse(Token.NONE);
    }

    /** Adds the token of the last entry that the guard let through. */
    public static void setLastEntry(StoreBatch batch, Token token) {
        batch.put(Keys.LAST_ENTRY, TokenCodec.encode(token));
    }

    /** The token of the last entry that the guard let through; {@link Token#NONE} before the first. */
    public static Token lastEntry(ShardStore store) {
        return store.get(Keys.LAST_ENTRY).map(TokenCodec::decode).orElse(Token.NONE);
    }

    /** Adds the shard's new feature level. */
    public static void setFeatureLevel(StoreBatch batch, int level) {
        batch.put(
                Keys.FEATURE_LEVEL,
                Records.StoredFeatureLevel.newBuilder().setLevel(level).build().toByteArray());
    }

    /** The shard's feature level, see {@link FeatureLevel}. */
    public static int featureLevel(ShardStore store) {
        return store.get(Keys.FEATURE_LEVEL)
                .map(StoredRecords::decodeFeatureLevel)
                .orElse(FeatureLevel.FIRST);
    }

    private static int decodeFeatureLevel(byte[] bytes) {
        try {
            return Records.StoredFeatureLevel.parseFrom(bytes).getLevel();
        } catch (InvalidProtocolBufferException e) {
            throw new UnknownRecordException("not a feature level: " + e.getMessage(), e);
        }
    }

    /** Adds what the cluster was founded with. */
    public static void setIdentity(StoreBatch batch, ClusterIdentity identity) {
        batch.put(Keys.IDENTITY, ClusterIdentityCodec.encode(identity).toByteArray());
    }

    /** What the cluster was founded with; empty before the shard's first entry. */
    public static Optional<ClusterIdentity> identity(ShardStore store) {
        return store.get(Keys.IDENTITY).map(bytes -> {
            try {
                return ClusterIdentityCodec.decode(Records.ClusterIdentity.parseFrom(bytes));
            } catch (InvalidProtocolBufferException e) {
                throw new UnknownRecordException("not a cluster's identity: " + e.getMessage(), e);
            }
        });
    }

    /** Adds the mark of a further leadership; of the oldest ones no claim is left that its group does not know by itself. */
    public static void addClaimMark(ShardStore store, StoreBatch batch, String mark) {
        List<String> marks = new ArrayList<>(claimMarks(store));
        marks.add(mark);
        List<String> kept = marks.subList(Math.max(0, marks.size() - CLAIM_MARKS_KEPT), marks.size());
        batch.put(
                Keys.CLAIM_MARKS,
                Records.StoredClaimMarks.newBuilder().addAllMarks(kept).build().toByteArray());
    }

    /** The marks of the shard's leaderships, oldest first. */
    public static List<String> claimMarks(ShardStore store) {
        return store.get(Keys.CLAIM_MARKS).map(StoredRecords::decodeClaimMarks).orElse(List.of());
    }

    private static List<String> decodeClaimMarks(byte[] bytes) {
        try {
            return List.copyOf(Records.StoredClaimMarks.parseFrom(bytes).getMarksList());
        } catch (InvalidProtocolBufferException e) {
            throw new UnknownRecordException("not claim marks: " + e.getMessage(), e);
        }
    }

    /** All that is stored of a group, in an order in which it can be folded. */
    public static StoredGroup load(ShardStore store, String groupId) {
        byte[] prefix = Keys.group(groupId);
        List<GroupRecord> records = new ArrayList<>();
        Token[] token = {Token.NONE};
        store.scan(prefix, (key, value) -> {
            if (Byte.toUnsignedInt(key[prefix.length]) == Section.TOKEN.code) {
                token[0] = TokenCodec.decode(value);
            } else {
                records.add(GroupRecordCodec.decode(value));
            }
            return true;
        });
        return new StoredGroup(token[0], records);
    }

    /** Visits the ids of all groups of which anything is stored, in the order of their keys. */
    public static void forEachGroupId(ShardStore store, Consumer<String> visitor) {
        Optional<String> next = firstGroupId(store, Keys.GROUPS);
        while (next.isPresent()) {
            visitor.accept(next.get());
            next = firstGroupId(store, Keys.after(Keys.group(next.get())));
        }
    }

    /** Whether the group exists; of a deleted one only history and configs are left. */
    public static boolean exists(ShardStore store, String groupId) {
        return store.get(sectionKey(groupId, Section.GROUP)).isPresent();
    }

    /** Whether a claim is recorded for the group, be it held or lost. */
    public static boolean isClaimed(ShardStore store, String groupId) {
        return store.get(sectionKey(groupId, Section.CLAIM))
                .map(GroupRecordCodec::decode)
                .filter(record -> !record.equals(new CommonRecord.ClaimSet(new Claim.None())))
                .isPresent();
    }

    /** The last line of the group's history, if it has any. */
    public static Optional<HistoryEntry> lastHistory(ShardStore store, String groupId) {
        List<byte[]> last = new ArrayList<>(1);
        store.scan(sectionKey(groupId, Section.HISTORY), (key, value) -> {
            last.clear();
            last.add(value);
            return true;
        });
        return last.stream()
                .findFirst()
                .map(bytes -> ((CommonRecord.HistoryAppended) GroupRecordCodec.decode(bytes)).entry());
    }

    private static Optional<String> firstGroupId(ShardStore store, byte[] from) {
        List<String> found = new ArrayList<>(1);
        store.scanFrom(Keys.GROUPS, from, (key, value) -> {
            found.add(Keys.groupIdOf(key));
            return false;
        });
        return found.stream().findFirst();
    }

    private static byte[] sectionKey(String groupId, Section section) {
        return Keys.section(groupId, section.code);
    }

    private static byte[] memberKey(String groupId, Section section, String memberId) {
        return Keys.withText(sectionKey(groupId, section), memberId);
    }

    private static byte[] numberKey(String groupId, Section section, long number) {
        return Keys.withNumber(sectionKey(groupId, section), number);
    }

    /** Translates tokens. */
    private static final class TokenCodec {
        static byte[] encode(Token token) {
            return Records.StoredToken.newBuilder()
                    .setTerm(token.term())
                    .setSequence(token.sequence())
                    .build()
                    .toByteArray();
        }

        static Token decode(byte[] bytes) {
            try {
                Records.StoredToken message = Records.StoredToken.parseFrom(bytes);
                return new Token(message.getTerm(), message.getSequence());
            } catch (InvalidProtocolBufferException e) {
                throw new UnknownRecordException("not a token: " + e.getMessage(), e);
            }
        }
    }
}
