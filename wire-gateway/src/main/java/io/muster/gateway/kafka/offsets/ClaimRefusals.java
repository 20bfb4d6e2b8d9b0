package io.muster.gateway.kafka.offsets;

import java.util.EnumSet;
import java.util.Set;
import org.apache.kafka.common.protocol.Errors;

/** The errors by which upstream speaks of the claim and not of the client's commit. */
final class ClaimRefusals {
    private static final Set<Errors> ABOUT_THE_CLAIM = EnumSet.of(
            Errors.UNKNOWN_MEMBER_ID,
            Errors.ILLEGAL_GENERATION,
            Errors.FENCED_INSTANCE_ID,
            Errors.REBALANCE_IN_PROGRESS,
            Errors.STALE_MEMBER_EPOCH,
            Errors.FENCED_MEMBER_EPOCH,
            Errors.GROUP_ID_NOT_FOUND);

    private ClaimRefusals() {}

    static boolean contains(short errorCode) {
        return ABOUT_THE_CLAIM.contains(Errors.forCode(errorCode));
    }
}
