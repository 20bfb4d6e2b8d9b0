package io.muster.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import io.muster.codec.proto.Records;
import io.muster.codec.proto.Values;
import io.muster.core.Claim;
import io.muster.core.CommonRecord;
import io.muster.core.FeatureLevel;
import io.muster.core.GroupRecord;
import io.muster.core.HistoryEntry;
import io.muster.runtime.AppliedGroups.StoredGroup;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.Token;
import io.muster.storage.ShardStore;
import io.muster.storage.StoreBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads what the store keeps of groups and of the shard, and writes what the guard keeps there. A key is {@code 'g'}, the group id (length
 * first) and a key within the group, see {@link Section}.
 */
public final class StoredRecords {
    private static final int CLAIM_MARKS_KEPT = 100;

    private StoredRecords() {}

    /** Adds the group's new token; none for a deleted group. */
    public static void setToken(StoreBatch batch, String groupId, Token token) {
        byte[] key = Section.TOKEN.of(groupId);
        if (token.equals(Token.NONE)) {
            batch.delete(key);
        } else {
            batch.put(key, TokenCodec.encode(token).toByteArray());
        }
    }

    /** The group's token as it is stored. */
    public static Token tokenOf(ShardStore store, String groupId) {
        return store.get(Section.TOKEN.of(groupId)).map(TokenCodec::decode).orElse(Token.NONE);
    }

    /** Adds the token of the last entry that the guard let through. */
    public static void setLastEntry(StoreBatch batch, Token token) {
        batch.put(Keys.LAST_ENTRY, TokenCodec.encode(token).toByteArray());
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
        batch.put(Keys.IDENTITY, ValueCodec.encode(identity).toByteArray());
    }

    /** What the cluster was founded with; empty before the shard's first entry. */
    public static Optional<ClusterIdentity> identity(ShardStore store) {
        return store.get(Keys.IDENTITY).map(bytes -> {
            try {
                return ValueCodec.decode(Values.ClusterIdentity.parseFrom(bytes));
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
        byte[] tokenKey = Section.TOKEN.of(groupId);
        List<GroupRecord> records = new ArrayList<>();
        Token[] token = {Token.NONE};
        store.scan(prefix, (key, value) -> {
            if (Arrays.equals(key, tokenKey)) {
                token[0] = TokenCodec.decode(value);
            } else {
                records.add(GroupRecordCodec.decode(Arrays.copyOfRange(key, prefix.length, key.length), value));
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
        return store.get(Section.GROUP.of(groupId)).isPresent();
    }

    /** Whether a claim is recorded for the group, be it held or lost. */
    public static boolean isClaimed(ShardStore store, String groupId) {
        return store.get(Section.CLAIM.of(groupId))
                .map(value -> GroupRecordCodec.decode(Section.CLAIM.key(), value))
                .filter(record -> !record.equals(new CommonRecord.ClaimSet(new Claim.None())))
                .isPresent();
    }

    /** The last line of the group's history, if it has any. */
    public static Optional<HistoryEntry> lastHistory(ShardStore store, String groupId) {
        List<byte[]> last = new ArrayList<>(1);
        store.scan(Section.HISTORY.of(groupId), (key, value) -> {
            last.clear();
            last.add(value);
            return true;
        });
        return last.stream()
                .findFirst()
                .map(bytes ->
                        ((CommonRecord.HistoryAppended) GroupRecordCodec.decode(Section.HISTORY.key(), bytes)).entry());
    }

    private static Optional<String> firstGroupId(ShardStore store, byte[] from) {
        List<String> found = new ArrayList<>(1);
        store.scanFrom(Keys.GROUPS, from, (key, value) -> {
            found.add(Keys.groupIdOf(key));
            return false;
        });
        return found.stream().findFirst();
    }
}
