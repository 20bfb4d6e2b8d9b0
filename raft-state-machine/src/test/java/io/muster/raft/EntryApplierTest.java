package io.muster.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.codec.LogEntryCodec;
import io.muster.codec.StoredRecords;
import io.muster.codec.UnknownRecordException;
import io.muster.codec.WrittenEntry;
import io.muster.core.CommonRecord;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.FeatureLevel;
import io.muster.core.GroupRecord;
import io.muster.runtime.LogEntry;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.runtime.RecordBatch;
import io.muster.runtime.ShardChange;
import io.muster.runtime.Token;
import io.muster.storage.AppliedIndex;
import io.muster.storage.InMemoryShardStore;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EntryApplierTest {
    private final InMemoryShardStore store = new InMemoryShardStore();
    private final EntryApplier applier = new EntryApplier(store);
    private long index;

    @Test
    void apply_onTheTokenItWasDecidedOn_counts() {
        assertThat(apply(2, entry(2, 1, batch("g", Token.NONE, epoch(1))))).containsExactly(Verdict.APPLIED);

        assertThat(StoredRecords.load(store, "g").records()).containsExactly(epoch(1));
        assertThat(StoredRecords.tokenOf(store, "g")).isEqualTo(new Token(2, 1));
    }

    @Test
    void apply_inAnotherTermThanItsOwn_changesNothingButTheIndex() {
        byte[] before = store.digest();

        assertThat(apply(3, entry(2, 1, batch("g", Token.NONE, epoch(1))))).containsExactly(Verdict.CONFLICT);

        assertThat(store.digest()).isEqualTo(before);
        assertThat(store.appliedIndex()).isEqualTo(new AppliedIndex(3, index));
    }

    @Test
    void apply_onAStaleToken_isAConflict() {
        apply(2, entry(2, 1, batch("g", Token.NONE, epoch(1))));

        assertThat(apply(2, entry(2, 2, batch("g", Token.NONE, epoch(7))))).containsExactly(Verdict.CONFLICT);
        assertThat(StoredRecords.load(store, "g").records()).containsExactly(epoch(1));
    }

    @Test
    void apply_ofADuplicate_isAConflict_alsoOfACreationAfterADeletion() {
        // Given
        LogEntry creation = entry(2, 1, batch("g", Token.NONE, epoch(1)));
        apply(2, creation);
        apply(2, entry(2, 2, batch("g", new Token(2, 1), new CommonRecord.GroupDeleted())));
        assertThat(StoredRecords.tokenOf(store, "g")).isEqualTo(Token.NONE);

        // When
        List<Verdict> verdicts = apply(2, creation);

        // Then
        assertThat(verdicts).containsExactly(Verdict.CONFLICT);
        assertThat(StoredRecords.load(store, "g").records()).isEmpty();
    }

    @Test
    void apply_ofSeveralBatchesOfOneGroup_judgesEachAfterTheEarlierOnes() {
        // When
        List<Verdict> verdicts = apply(
                4,
                entry(
                        4,
                        1,
                        batch("g", Token.NONE, epoch(1)),
                        batch("g", Token.NONE, epoch(9)),
                        batch("g", new Token(4, 1), epoch(2)),
                        batch("h", Token.NONE, epoch(5))));

        // Then
        assertThat(verdicts).containsExactly(Verdict.APPLIED, Verdict.CONFLICT, Verdict.APPLIED, Verdict.APPLIED);
        assertThat(StoredRecords.load(store, "g").records()).containsExactly(epoch(2));
        assertThat(StoredRecords.load(store, "h").records()).containsExactly(epoch(5));
    }

    @Test
    void apply_ofDeletionAndRecreationInOneBatch_leavesTheNewGroup() {
        apply(2, entry(2, 1, batch("g", Token.NONE, epoch(1))));

        apply(2, entry(2, 2, batch("g", new Token(2, 1), new CommonRecord.GroupDeleted(), epoch(1))));

        assertThat(StoredRecords.tokenOf(store, "g")).isEqualTo(new Token(2, 2));
    }

    @Test
    void apply_ofAHigherFeatureLevel_isKeptAndNeverFalls() {
        EntryApplier newer = new EntryApplier(store, 3);
        assertThat(StoredRecords.featureLevel(store)).isEqualTo(FeatureLevel.FIRST);

        newer.apply(new AppliedIndex(2, 1), raise(1, 3));
        newer.apply(new AppliedIndex(2, 2), raise(2, 2));

        assertThat(StoredRecords.featureLevel(store)).isEqualTo(3);
    }

    @Test
    void apply_ofAHigherFeatureLevel_inAnotherTermThanItsOwn_changesNothing() {
        new EntryApplier(store, 3).apply(new AppliedIndex(3, 1), raise(1, 3));

        assertThat(StoredRecords.featureLevel(store)).isEqualTo(FeatureLevel.FIRST);
    }

    @Test
    void apply_ofAFeatureLevelThatThisVersionDoesNotKnow_stopsTheNode() {
        assertThatThrownBy(() -> applier.apply(new AppliedIndex(2, 1), raise(1, FeatureLevel.SUPPORTED + 1)))
                .isInstanceOf(UnknownRecordException.class)
                .hasMessageContaining("feature level");
    }

    @Test
    void open_ofAStoreOfANewerFeatureLevel_isRefused() {
        new EntryApplier(store, 3).apply(new AppliedIndex(2, 1), raise(1, 3));

        assertThatThrownBy(() -> new EntryApplier(store, 2)).isInstanceOf(UnknownRecordException.class);
    }

    private List<Verdict> apply(long term, LogEntry entry) {
        index++;
        return applier.apply(new AppliedIndex(term, index), written(entry));
    }

    private static WrittenEntry raise(long sequence, int level) {
        return written(new LogEntry(2, sequence, List.of(), ShardChange.raise(level)));
    }

    private static WrittenEntry written(LogEntry entry) {
        return LogEntryCodec.decode(LogEntryCodec.encode(entry));
    }

    private static LogEntry entry(long term, long sequence, RecordBatch... batches) {
        return new LogEntry(term, sequence, List.of(batches));
    }

    private static RecordBatch batch(String groupId, Token base, GroupRecord... records) {
        return new RecordBatch(groupId, base, List.of(records));
    }

    private static GroupRecord epoch(int groupEpoch) {
        return new ConsumerGroupRecord.GroupSet(groupEpoch, groupEpoch, 0);
    }
}
