package io.muster.codec;

import io.muster.codec.proto.Records;
import io.muster.core.Claim;
import io.muster.core.ClaimIdentity;
import io.muster.core.CommonRecord;
import io.muster.core.HistoryEntry;

/** Translates the records that groups of every type share. */
final class CommonRecords {
    private CommonRecords() {}

    static Records.Record encode(CommonRecord record) {
        Records.Record.Builder message = Records.Record.newBuilder();
        if (record instanceof CommonRecord.GroupDeleted) {
            message.setGroupDeleted(Records.GroupDeleted.getDefaultInstance());
        } else if (record instanceof CommonRecord.ClaimSet set) {
            message.setClaimSet(encode(set.claim()));
        } else if (record instanceof CommonRecord.HistoryAppended appended) {
            message.setHistoryAppended(encode(appended.entry()));
        } else if (record instanceof CommonRecord.HistoryForgotten) {
            message.setHistoryForgotten(Records.HistoryForgotten.getDefaultInstance());
        } else if (record instanceof CommonRecord.ConfigsSet set) {
            message.setConfigsSet(
                    Records.ConfigsSet.newBuilder().addAllConfigs(RecordValues.encodeEntries(set.configs())));
        } else if (record instanceof CommonRecord.TopicBasisSet set) {
            message.setTopicBasisSet(
                    Records.TopicBasisSet.newBuilder().addAllTopics(RecordValues.encodeTopics(set.topics())));
        } else if (record instanceof CommonRecord.CommitConnectionSet set) {
            message.setCommitConnectionSet(Records.CommitConnectionSet.newBuilder()
                    .setMemberId(set.memberId())
                    .setConnectionId(set.connectionId()));
        }
        return message.build();
    }

    private static Records.ClaimSet encode(Claim claim) {
        Records.ClaimSet.Builder message = Records.ClaimSet.newBuilder();
        if (claim instanceof Claim.Held held) {
            message.setHeld(Records.ClaimHeld.newBuilder()
                    .setMemberId(held.identity().memberId())
                    .setGeneration(held.identity().generation())
                    .setSessionTimeoutMillis(held.sessionTimeoutMillis()));
        } else if (claim instanceof Claim.Lost lost) {
            message.setLost(
                    Records.ClaimLost.newBuilder().setDetail(lost.detail()).setOpen(lost.open()));
        } else {
            message.setNone(Records.NotClaimed.getDefaultInstance());
        }
        return message.build();
    }

    private static Records.HistoryAppended encode(HistoryEntry entry) {
        return Records.HistoryAppended.newBuilder()
                .setSequence(entry.sequence())
                .setAtMillis(entry.atMillis())
                .setGroupEpoch(entry.groupEpoch())
                .setReason(entry.reason().name())
                .setMemberId(entry.memberId())
                .setDetail(entry.detail())
                .build();
    }

    static CommonRecord decode(Records.ClaimSet message) {
        return new CommonRecord.ClaimSet(
                switch (message.getClaimCase()) {
                    case NONE -> new Claim.None();
                    case HELD ->
                        new Claim.Held(
                                new ClaimIdentity(
                                        message.getHeld().getMemberId(),
                                        message.getHeld().getGeneration()),
                                message.getHeld().getSessionTimeoutMillis());
                    case LOST ->
                        new Claim.Lost(
                                message.getLost().getDetail(), message.getLost().getOpen());
                    case CLAIM_NOT_SET -> throw new UnknownRecordException("a claim of a kind that is not known here");
                });
    }

    static CommonRecord decode(Records.HistoryAppended message) {
        return new CommonRecord.HistoryAppended(new HistoryEntry(
                message.getSequence(),
                message.getAtMillis(),
                message.getGroupEpoch(),
                reason(message.getReason()),
                message.getMemberId(),
                message.getDetail()));
    }

    private static HistoryEntry.Reason reason(String name) {
        try {
            return HistoryEntry.Reason.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw new UnknownRecordException("a reason that is not known here: " + name, e);
        }
    }
}
