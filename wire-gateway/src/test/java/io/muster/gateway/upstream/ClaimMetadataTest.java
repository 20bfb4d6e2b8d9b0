package io.muster.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.core.ClaimMarks;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroupMember;
import org.apache.kafka.common.protocol.types.SchemaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimMetadataTest {
    private static final ClaimMarks MARKS = new ClaimMarks("now", List.of("before", "now"), false);

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "AAAAAAAAAAAAAAAAAAAAAA"})
    void metadata_isNoSubscription_andSaysSoAsBrokersExpect(String mark) {
        assertThatThrownBy(() -> ConsumerProtocol.deserializeSubscription(ByteBuffer.wrap(ClaimMetadata.of(mark))))
                .isInstanceOf(SchemaException.class);
        assertThatThrownBy(() -> ConsumerProtocol.deserializeConsumerProtocolSubscription(
                        ByteBuffer.wrap(ClaimMetadata.of(mark))))
                .isInstanceOf(SchemaException.class);
        assertThat(ClaimMetadata.markIn(ClaimMetadata.of(mark))).isEqualTo(mark);
    }

    @Test
    void stranger_isAMemberOfOurNameWithAMarkThatTheLogDoesNotKnow() {
        assertThat(stranger(member("muster-a", "x", "other"), "")).contains("other");
        assertThat(stranger(member("muster-a", "x", "before"), "")).isEmpty();
        assertThat(stranger(member("muster-a", "x", ""), "")).isEmpty();
        assertThat(stranger(member("muster-b", "x", "other"), "")).isEmpty();
    }

    @Test
    void stranger_isNotTheMemberThatIsRecordedAsOurs() {
        assertThat(stranger(member("muster-a", "x", "long-forgotten"), "x")).isEmpty();
    }

    private static Optional<String> stranger(DescribedGroupMember member, String memberId) {
        return ClaimMetadata.stranger(new DescribedGroup().setMembers(List.of(member)), "muster-a", memberId, MARKS);
    }

    private static DescribedGroupMember member(String instanceId, String memberId, String mark) {
        return new DescribedGroupMember()
                .setGroupInstanceId(instanceId)
                .setMemberId(memberId)
                .setMemberMetadata(ClaimMetadata.of(mark));
    }
}
