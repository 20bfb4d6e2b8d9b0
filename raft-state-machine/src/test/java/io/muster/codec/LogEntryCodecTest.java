package io.muster.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.muster.codec.proto.Records;
import io.muster.core.FeatureLevel;
import org.junit.jupiter.api.Test;

/** What is not appended, though it is an entry: that nobody could read what it writes would show only when a leader loads the group. */
final class LogEntryCodecTest {
    private static final ByteString GROUP_KEY = ByteString.copyFrom(Section.GROUP.key());
    private static final ByteString GROUP_VALUE = Records.Record.newBuilder()
            .setConsumerGroupSet(Records.ConsumerGroupSet.newBuilder().setGroupEpoch(1))
            .build()
            .toByteString();

    @Test
    void entryOfKnownKeysAndValues_isReadable() {
        assertThatCode(() -> LogEntryCodec.requireReadable(bytes(put(GROUP_KEY, GROUP_VALUE))))
                .doesNotThrowAnyException();
    }

    @Test
    void valueThatIsNoRecord_isUnreadable_butApplyDoesNotLookIntoIt() {
        for (ByteString value : new ByteString[] {ByteString.EMPTY, ByteString.copyFrom(new byte[] {-1, -1})}) {
            byte[] bytes = bytes(put(GROUP_KEY, value));

            assertUnreadable(bytes);
            assertThat(LogEntryCodec.decode(bytes).batches()).hasSize(1);
        }
    }

    @Test
    void keyOfNoSection_isUnreadable() {
        assertUnreadable(bytes(put(ByteString.copyFromUtf8("x"), GROUP_VALUE)));
        assertUnreadable(bytes(put(ByteString.EMPTY, GROUP_VALUE)));
        assertUnreadable(bytes(
                Records.Batch.newBuilder().addWrites(Records.Write.newBuilder().setDeletePrefix(ByteString.EMPTY))));
    }

    @Test
    void writeOfNoKind_isUnreadable() {
        assertUnreadable(bytes(Records.Batch.newBuilder().addWrites(Records.Write.getDefaultInstance())));
    }

    @Test
    void tokenOfAnotherEntry_isUnreadable() {
        assertUnreadable(bytes(Records.Batch.newBuilder()
                .setNext(Records.Token.newBuilder().setTerm(2).setSequence(2))));
    }

    @Test
    void higherFeatureLevel_isUnreadable() {
        assertUnreadable(
                entry().setFeatureLevel(FeatureLevel.SUPPORTED + 1).build().toByteArray());
    }

    private static void assertUnreadable(byte[] bytes) {
        assertThatThrownBy(() -> LogEntryCodec.requireReadable(bytes)).isInstanceOf(UnknownRecordException.class);
    }

    private static Records.Batch.Builder put(ByteString key, ByteString value) {
        return Records.Batch.newBuilder()
                .setGroupId("g")
                .addWrites(Records.Write.newBuilder()
                        .setPut(Records.Put.newBuilder().setKey(key).setValue(value)));
    }

    private static byte[] bytes(Records.Batch.Builder batch) {
        return entry().addBatches(batch).build().toByteArray();
    }

    private static Records.Entry.Builder entry() {
        return Records.Entry.newBuilder().setEvalTerm(1).setSequence(1).setFeatureLevel(FeatureLevel.FIRST);
    }
}
