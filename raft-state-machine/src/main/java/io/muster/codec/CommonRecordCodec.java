package io.muster.codec;

import io.muster.codec.proto.Records;
import io.muster.core.Claim;
import io.muster.core.CommitConnection;
import io.muster.core.CommonRecord;
import io.muster.core.HistoryEntry;
import io.muster.core.TopicInfo;
import io.muster.storage.StoreBatch;
import java.util.SortedMap;
import java.util.TreeMap;

/** Translates the records that groups of every type share. */
final class CommonRecordCodec implements CommonRecord.Handler<StoreBatch> {
    private final StoreBatch writes;

    /** @param writes gets what a record changes, under keys within its group */
    CommonRecordCodec(StoreBatch writes) {
        this.writes = writes;
    }

    private StoreBatch put(byte[] key, Records.Record.Builder record) {
        return writes.put(key, record.build().toByteArray());
    }

    private static Records.Record.Builder record() {
        return Records.Record.newBuilder();
    }

    @Override
    public StoreBatch on(CommonRecord.GroupDeleted deleted) {
        return writes.deletePrefix(Section.goneWithTheGroup());
    }

    @Override
    public StoreBatch on(CommonRecord.ClaimSet set) {
        return put(Section.CLAIM.key(), record().setClaimSet(encode(set.claim())));
    }

    /** The entry that is too old then goes. */
    @Override
    public StoreBatch on(CommonRecord.HistoryAppended appended) {
        long sequence = appended.entry().sequence();
        put(Section.HISTORY.key(sequence), record().setHistoryAppended(ValueCodec.encode(appended.entry())));
        return sequence > HistoryEntry.LIMIT
                ? writes.delete(Section.HISTORY.key(sequence - HistoryEntry.LIMIT))
                : writes;
    }

    @Override
    public StoreBatch on(CommonRecord.HistoryForgotten forgotten) {
        return writes.deletePrefix(Section.HISTORY.key());
    }

    @Override
    public StoreBatch on(CommonRecord.ConfigsSet set) {
        return put(
                Section.CONFIGS.key(),
                record().setConfigsSet(Records.ConfigsSet.newBuilder()
                        .addAllConfigs(ValueCodec.encodeEntries(set.configs()))));
    }

    @Override
    public StoreBatch on(CommonRecord.TopicBasisSet set) {
        return put(
                Section.TOPIC_BASIS.key(),
                record().setTopicBasisSet(Records.TopicBasisSet.newBuilder()
                        .addAllTopics(set.topics().values().stream()
                                .map(ValueCodec::encode)
                                .toList())));
    }

    @Override
    public StoreBatch on(CommonRecord.CommitConnectionSet set) {
        return put(
                Section.COMMIT_CONNECTION.key(set.memberId()),
                record().setCommitConnectionSet(Records.CommitConnectionSet.newBuilder()
                        .setConnectionId(set.connection().id())
                        .setRecordedAt(ValueCodec.encode(set.connection().recordedAt()))));
    }

    static CommitConnection decode(Records.CommitConnectionSet message) {
        return new CommitConnection(message.getConnectionId(), ValueCodec.decode(message.getRecordedAt()));
    }

    private static Records.ClaimSet encode(Claim claim) {
        Records.ClaimSet.Builder message = Records.ClaimSet.newBuilder();
        if (claim instanceof Claim.Held held) {
            message.setHeld(Records.ClaimHeld.newBuilder()
                    .setIdentity(ValueCodec.encode(held.identity()))
                    .setSessionTimeoutMillis(held.sessionTimeoutMillis()));
        } else if (claim instanceof Claim.Lost lost) {
            message.setLost(
                    Records.ClaimLost.newBuilder().setDetail(lost.detail()).setOpen(lost.open()));
        } else {
            message.setNone(Records.NotClaimed.getDefaultInstance());
        }
        return message.build();
    }

    static CommonRecord decode(Records.ClaimSet message) {
        return new CommonRecord.ClaimSet(
                switch (message.getClaimCase()) {
                    case NONE -> new Claim.None();
                    case HELD ->
                        new Claim.Held(
                                ValueCodec.decode(message.getHeld().getIdentity()),
                                message.getHeld().getSessionTimeoutMillis());
                    case LOST ->
                        new Claim.Lost(
                                message.getLost().getDetail(), message.getLost().getOpen());
                    case CLAIM_NOT_SET -> throw new UnknownRecordException("a claim of a kind that is not known here");
                });
    }

    static CommonRecord decode(Records.TopicBasisSet message) {
        SortedMap<String, TopicInfo> topics = new TreeMap<>();
        message.getTopicsList().forEach(topic -> topics.put(topic.getName(), ValueCodec.decode(topic)));
        return new CommonRecord.TopicBasisSet(topics);
    }
}
