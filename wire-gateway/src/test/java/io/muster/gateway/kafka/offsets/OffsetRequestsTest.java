package io.muster.gateway.kafka.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClaimIdentity;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.Response;
import io.muster.gateway.kafka.order.VirtualThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.Test;

class OffsetRequestsTest {
    private static final long DEADLINE_NANOS = Duration.ofSeconds(25).toNanos();
    private static final short BY_NAME = 9;

    private final List<CommitCommand.Admit> admissions = new ArrayList<>();
    private final List<CompletableFuture<ApiMessage>> sent = new ArrayList<>();
    private final OffsetRequests requests =
            new OffsetRequests(this::admit, new Upstream(), new TopicNames(), new VirtualThread());

    @Test
    void groups_whoseCommitsAreAnswered_areForgotten() {
        // Given
        for (int i = 0; i < 3; i++) {
            commit("g" + i);
        }
        commit("g0");
        assertThat(requests.groupsUnderWay()).isEqualTo(3);

        // When
        sent.get(0).complete(new OffsetCommitResponseData());
        sent.get(1).complete(new OffsetCommitResponseData());

        // Then
        assertThat(requests.groupsUnderWay()).isEqualTo(2);
        sent.get(2).completeExceptionally(new IllegalStateException("the connection broke"));
        sent.get(3).complete(new OffsetCommitResponseData());
        assertThat(requests.groupsUnderWay()).isZero();
    }

    @Test
    void commits_ofOneConnection_haveOneConnectionId_alsoAfterTheirGroupWasForgotten() {
        // Given
        commit("g");
        sent.get(0).complete(new OffsetCommitResponseData());

        // When
        commit("g");

        // Then
        assertThat(admissions).hasSize(2);
        assertThat(admissions.get(0).connection().id())
                .isEqualTo(admissions.get(1).connection().id());
    }

    private void commit(String group) {
        OffsetCommitRequestData request =
                new OffsetCommitRequestData().setGroupId(group).setMemberId("m");
        var unused = requests.commit(request, BY_NAME, DEADLINE_NANOS, true);
    }

    private CompletableFuture<Response> admit(Command command) {
        if (command instanceof CommitCommand.Admit admit) {
            admissions.add(admit);
            return CompletableFuture.completedFuture(new Response.CommitAdmitted(new ClaimIdentity("claim", 1)));
        }
        return CompletableFuture.completedFuture(new Response.Done());
    }

    private final class Upstream implements ClientUpstream {
        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request) {
            CompletableFuture<ApiMessage> answer = new CompletableFuture<>();
            sent.add(answer);
            return answer;
        }

        @Override
        public short maxVersion(ApiKeys api) {
            return api.latestVersion();
        }
    }
}
