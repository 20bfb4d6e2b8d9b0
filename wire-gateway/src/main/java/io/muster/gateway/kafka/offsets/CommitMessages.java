package io.muster.gateway.kafka.offsets;

import io.muster.core.CommitCommand;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** A client's request to commit offsets in the words of OffsetCommit, whichever API it came by, and how that API says them. */
interface CommitMessages {
    ApiKeys api();

    CommitCommand.Kind kind();

    /** The client's. */
    short version();

    /** The version in which the request goes upstream as the client sent it. */
    short upstreamVersion();

    /** The version in which it goes upstream under the claim; one that can name a member. */
    short versionUnderClaim();

    /** The first version whose topics come by id. */
    short firstWithTopicIds();

    OffsetCommitRequestData request();

    /** The client's request with what is said here of member and topics. */
    ApiMessage toUpstream(OffsetCommitRequestData request);

    OffsetCommitResponseData fromUpstream(ApiMessage response);

    ApiMessage toClient(OffsetCommitResponseData answer);

    /** Whether the client names topics by id. */
    default boolean isByTopicId() {
        return version() >= firstWithTopicIds();
    }

    /** Whether upstream is told names where the client said ids. */
    default boolean isTranslated() {
        return isByTopicId() && upstreamVersion() < firstWithTopicIds();
    }
}
