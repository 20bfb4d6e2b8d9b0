package io.muster.gateway.upstream;

import io.muster.core.ClaimMarks;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;

/**
 * The protocol metadata of Muster's member, which carries the claim's mark. It must never parse as a subscription, by which a broker
 * could upgrade the group or expire offsets, and every broker must find that out by reaching the end of it: other malformed metadata
 * fails the join. So it is a subscription of version 0 to one "topic", the mark, that ends where the user data should begin.
 */
final class ClaimMetadata {
    private static final byte[] UNMARKED = {0};
    private static final int HEADER_BYTES = Short.BYTES + Integer.BYTES + Short.BYTES;

    private ClaimMetadata() {}

    /** @param mark ASCII; empty for a claim without one */
    static byte[] of(String mark) {
        if (mark.isEmpty()) {
            return UNMARKED.clone();
        }
        byte[] text = mark.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(HEADER_BYTES + text.length)
                .putShort((short) 0)
                .putInt(1)
                .putShort((short) text.length)
                .put(text)
                .array();
    }

    /** The mark in a member's metadata; empty if it has none, or the broker did not name it. */
    static String markIn(byte[] metadata) {
        return metadata.length <= HEADER_BYTES
                ? ""
                : new String(metadata, HEADER_BYTES, metadata.length - HEADER_BYTES, StandardCharsets.US_ASCII);
    }

    /**
     * The mark of another cluster of our name that holds the group.
     *
     * @param claimName the instance id of Muster's member
     * @param memberId the member id that is recorded as ours; empty if there is none
     */
    static Optional<String> stranger(DescribedGroup group, String claimName, String memberId, ClaimMarks marks) {
        return group.members().stream()
                .filter(member -> claimName.equals(member.groupInstanceId()))
                .filter(member -> !member.memberId().equals(memberId))
                .map(member -> markIn(member.memberMetadata()))
                .filter(marks::forbid)
                .findFirst();
    }
}
