package io.muster.gateway.kafka.offsets;

import io.muster.core.Command;
import io.muster.core.Response;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** The offset requests of one client connection about groups that Muster owns. Any thread. */
public final class OffsetRequests {
    private static final String ID_PREFIX = UUID.randomUUID() + "-";
    private static final AtomicLong IDS = new AtomicLong();

    private final GroupCoordinator coordinator;
    private final ClientUpstream upstream;
    private final TopicNames names;
    private final Map<String, CommitLane> lanes = new ConcurrentHashMap<>();
    private CompletableFuture<?> beforeInOrder = CompletableFuture.completedFuture(null);

    public OffsetRequests(GroupCoordinator coordinator, ClientUpstream upstream, TopicNames names) {
        this.coordinator = coordinator;
        this.upstream = upstream;
        this.names = names;
    }

    public ClientUpstream upstream() {
        return upstream;
    }

    public CompletableFuture<Response> ask(Command command) {
        return coordinator.ask(command);
    }

    /** An id that no other admission of any gateway ever had. */
    public static String freshAdmissionId() {
        return ID_PREFIX + IDS.incrementAndGet();
    }

    /**
     * Commits in the client's order; the answer is the one for the client.
     *
     * @param judged whether the group may be Muster's, so that its coordinator is asked
     */
    public CompletableFuture<ApiMessage> commit(OffsetCommitRequestData request, short version, boolean judged) {
        return commit(new PlainMessages(request, version, upstream.maxVersion(ApiKeys.OFFSET_COMMIT)), judged);
    }

    /**
     * Commits in the client's order; the answer is the one for the client.
     *
     * @param judged whether the group may be Muster's, so that its coordinator is asked
     */
    public CompletableFuture<ApiMessage> commit(TxnOffsetCommitRequestData request, short version, boolean judged) {
        TransactionalMessages messages =
                new TransactionalMessages(request, version, upstream.maxVersion(ApiKeys.TXN_OFFSET_COMMIT));
        return messages.cannotBeTold()
                ? CompletableFuture.completedFuture(
                        messages.toClient(Commit.refusal(messages.request(), Errors.UNSUPPORTED_VERSION)))
                : commit(messages, judged);
    }

    private CompletableFuture<ApiMessage> commit(CommitMessages messages, boolean judged) {
        return inOrder(names.resolve(upstream, Commit.topicIds(messages), messages.isTranslated()), resolved -> {
            Commit commit = new Commit(messages, resolved);
            return send(commit, messages.request().groupId(), judged)
                    .thenCompose(answer -> commit.whole(answer, upstream))
                    .thenApply(messages::toClient);
        });
    }

    private CompletableFuture<OffsetCommitResponseData> send(Commit commit, String groupId, boolean judged) {
        return judged
                ? lane(groupId).submit(commit)
                : commit.sendAsItIs(upstream).thenApply(commit::answer);
    }

    /** Fetches offsets upstream, in a version that it has. */
    public CompletableFuture<OffsetFetchResponseData> fetch(OffsetFetchRequestData request, short version) {
        short upstreamMax = upstream.maxVersion(ApiKeys.OFFSET_FETCH);
        return version >= FetchByName.FIRST_WITH_TOPIC_IDS && upstreamMax < FetchByName.FIRST_WITH_TOPIC_IDS
                ? new FetchByName(upstream, names).fetch(request, upstreamMax)
                : upstream.call(ApiKeys.OFFSET_FETCH, (short) Math.min(version, upstreamMax), request)
                        .thenApply(OffsetFetchResponseData.class::cast);
    }

    /** Completes when every commit of the group taken on until now is answered. */
    public CompletableFuture<Void> commitsAnswered(String groupId) {
        return inOrder(
                CompletableFuture.completedFuture(null),
                nothing -> lane(groupId).answered());
    }

    /** Names are looked up as the requests come, and what they are needed for is done in the order of the requests. */
    private synchronized <N, R> CompletableFuture<R> inOrder(
            CompletableFuture<N> needed, Function<N, CompletableFuture<R>> then) {
        CompletableFuture<R> result = new CompletableFuture<>();
        beforeInOrder = beforeInOrder
                .thenCombine(needed, (before, value) -> value)
                .thenAccept(value -> forward(then.apply(value), result))
                .exceptionally(failure -> {
                    result.completeExceptionally(failure);
                    return null;
                });
        return result;
    }

    private static <R> void forward(CompletableFuture<R> from, CompletableFuture<R> to) {
        var unused = from.whenComplete((value, failure) -> {
            if (failure != null) {
                to.completeExceptionally(failure);
            } else {
                to.complete(value);
            }
        });
    }

    private CommitLane lane(String groupId) {
        return lanes.computeIfAbsent(
                groupId, id -> new CommitLane(coordinator, upstream, OffsetRequests::freshAdmissionId));
    }
}
