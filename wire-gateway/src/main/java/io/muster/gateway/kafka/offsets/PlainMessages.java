package io.muster.gateway.kafka.offsets;

import io.muster.core.CommitCommand;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * OffsetCommit.
 *
 * @param version the client's
 * @param upstreamMaxVersion the newest that upstream has
 */
record PlainMessages(OffsetCommitRequestData request, short version, short upstreamMaxVersion)
        implements CommitMessages {
    private static final short FIRST_WITH_TOPIC_IDS = 10;

    @Override
    public ApiKeys api() {
        return ApiKeys.OFFSET_COMMIT;
    }

    @Override
    public CommitCommand.Kind kind() {
        return CommitCommand.Kind.PLAIN;
    }

    @Override
    public short upstreamVersion() {
        return (short) Math.min(version, upstreamMaxVersion);
    }

    @Override
    public short versionUnderClaim() {
        return upstreamVersion();
    }

    @Override
    public short firstWithTopicIds() {
        return FIRST_WITH_TOPIC_IDS;
    }

    @Override
    public ApiMessage toUpstream(OffsetCommitRequestData changed) {
        return changed;
    }

    @Override
    public OffsetCommitResponseData fromUpstream(ApiMessage response) {
        return (OffsetCommitResponseData) response;
    }

    @Override
    public ApiMessage toClient(OffsetCommitResponseData answer) {
        return answer;
    }
}
