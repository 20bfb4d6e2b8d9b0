package io.muster.gateway.kafka.api;

import io.muster.core.Response;
import io.muster.core.StreamsCommand;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.PartitionEnds;
import java.util.concurrent.CompletableFuture;

/** What the gateway does as the answers to Streams heartbeats ask: it creates internal topics and reads where changelogs end. */
final class StreamsFollowUps {
    private final Coordinator coordinator;
    private final PartitionEnds endOffsets;
    private final InternalTopicCreation creation;

    StreamsFollowUps(Coordinator coordinator, PartitionEnds endOffsets) {
        this.coordinator = coordinator;
        this.endOffsets = endOffsets;
        this.creation = new InternalTopicCreation(coordinator);
    }

    /** Begins what the answer asks for; the answer says so if the client may not have it done. */
    CompletableFuture<Response> follow(String groupId, Response.StreamsHeartbeatAnswer answer, ClientSession session) {
        if (!answer.followUps().endOffsetsToRead().isEmpty()) {
            var unused = endOffsets
                    .read(answer.followUps().endOffsetsToRead())
                    .thenCompose(ends -> coordinator.submit(new StreamsCommand.EndOffsetsRead(groupId, ends)));
        }
        return answer.followUps().topicsToCreate().isEmpty()
                ? CompletableFuture.completedFuture(answer)
                : creation.create(groupId, answer, session);
    }
}
