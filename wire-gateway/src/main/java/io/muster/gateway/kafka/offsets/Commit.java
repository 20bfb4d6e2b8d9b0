package io.muster.gateway.kafka.offsets;

import io.muster.core.ClaimIdentity;
import io.muster.core.CommitCommand;
import java.util.Optional;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** One client's request to commit offsets, plain or transactional. */
interface Commit {
    /** An identity that upstream takes from nobody: what is sent under it stores nothing. */
    ClaimIdentity NOBODY = new ClaimIdentity("muster-refused-it", Integer.MAX_VALUE);

    CommitCommand.Admit admission(String admissionId);

    ApiKeys api();

    /** The version in which it goes upstream under the claim. */
    short versionUnderClaim();

    /** The request with the claim's member id and generation in place of the member's own, and never an instance id. */
    ApiMessage underClaim(ClaimIdentity identity);

    /** The version in which it goes upstream as the client sent it. */
    short versionAsSent();

    ApiMessage asSent();

    /** Whether upstream refused the claim's identity rather than the commit. */
    boolean refusesClaim(ApiMessage response);

    /** Upstream's answer as the client is to see it. */
    ApiMessage answer(ApiMessage response);

    /** The answer that refuses every partition. */
    ApiMessage refusal(Errors error);

    /** Upstream's answer to the request of {@link #NOBODY}, with this error wherever nothing but the identity was refused. */
    ApiMessage refusal(Errors error, ApiMessage response);

    /**
     * The commit without those partitions that upstream refused {@link #NOBODY} for another reason than its identity, which the
     * coordinator does not judge then; empty if there are none, or no others.
     */
    Optional<Commit> withoutUnheard(ApiMessage response);
}
