package io.muster.gateway.kafka.offsets;

import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.Response;
import io.muster.gateway.kafka.order.ConnectionThread;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
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

    private final PatientCoordinator coordinator;
    private final ClientUpstream upstream;
    private final TopicNames names;
    private final Map<String, GroupCommits> commits = new ConcurrentHashMap<>();
    private final GroupCommits.Connection connection;

    public OffsetRequests(
            GroupCoordinator coordinator, ClientUpstream upstream, TopicNames names, ConnectionThread thread) {
        this.coordinator = new PatientCoordinator(coordinator, thread);
        this.connection = new GroupCommits.Connection(freshAdmissionId(), thread.nanoTime(), coordinator.heardTimes());
        this.upstream = upstream;
        this.names = names;
    }

    public ClientUpstream upstream() {
        return upstream;
    }

    /**
     * The coordinator's answer; for commands that may be decided twice, since refusals that pass are not taken before the deadline.
     *
     * @param deadlineNanos the request's
     */
    public CompletableFuture<Response> ask(Command command, long deadlineNanos) {
        return coordinator.ask(command, deadlineNanos);
    }

    /** Whether the coordinator refuses for a reason that passes; what it was asked for may have been done all the same. */
    public static boolean passes(Response response) {
        return PatientCoordinator.passes(response);
    }

    /** Tells the coordinator that the admission is over. */
    public void settled(String groupId, String admissionId) {
        var unused = coordinator.tell(new CommitCommand.Settled(groupId, admissionId, false));
    }

    /** An id that no other admission of any gateway ever had. */
    public static String freshAdmissionId() {
        return ID_PREFIX + IDS.incrementAndGet();
    }

    /**
     * Commits in the client's order; the answer is the one for the client.
     *
     * @param deadlineNanos until when it is tried again, on the clock of the connection's thread
     * @param judged whether the group may be Muster's, so that its coordinator is asked
     */
    public CompletableFuture<ApiMessage> commit(
            OffsetCommitRequestData request, short version, long deadlineNanos, boolean judged) {
        return commit(
                new PlainMessages(request, version, upstream.maxVersion(ApiKeys.OFFSET_COMMIT)), deadlineNanos, judged);
    }

    /**
     * Commits in the client's order; the answer is the one for the client.
     *
     * @param deadlineNanos until when it is tried again, on the clock of the connection's thread
     * @param judged whether the group may be Muster's, so that its coordinator is asked
     */
    public CompletableFuture<ApiMessage> commit(
            TxnOffsetCommitRequestData request, short version, long deadlineNanos, boolean judged) {
        TransactionalMessages messages =
                new TransactionalMessages(request, version, upstream.maxVersion(ApiKeys.TXN_OFFSET_COMMIT));
        return messages.cannotBeTold()
                ? CompletableFuture.completedFuture(
                        messages.toClient(Commit.refusal(messages.request(), Errors.UNSUPPORTED_VERSION)))
                : commit(messages, deadlineNanos, judged);
    }

    private CompletableFuture<ApiMessage> commit(CommitMessages messages, long deadlineNanos, boolean judged) {
        CompletableFuture<Commit> named = names.resolve(upstream, Commit.topicIds(messages), messages.isTranslated())
                .thenApply(resolved -> new Commit(messages, resolved));
        CompletableFuture<OffsetCommitResponseData> answer =
                submit(messages.request().groupId(), named, deadlineNanos, judged);
        return named.thenCompose(commit -> answer.thenCompose(said -> commit.whole(said, upstream)))
                .thenApply(messages::toClient);
    }

    /** Fetches offsets upstream, in a version that it has. */
    public CompletableFuture<OffsetFetchResponseData> fetch(OffsetFetchRequestData request, short version) {
        short upstreamMax = upstream.maxVersion(ApiKeys.OFFSET_FETCH);
        return version >= FetchByName.FIRST_WITH_TOPIC_IDS && upstreamMax < FetchByName.FIRST_WITH_TOPIC_IDS
                ? new FetchByName(upstream, names).fetch(request, upstreamMax)
                : upstream.call(ApiKeys.OFFSET_FETCH, (short) Math.min(version, upstreamMax), request)
                        .thenApply(OffsetFetchResponseData.class::cast);
    }

    /** What is remembered of the commits of a group is forgotten when all of them are answered. */
    private CompletableFuture<OffsetCommitResponseData> submit(
            String groupId, CompletableFuture<Commit> named, long deadlineNanos, boolean judged) {
        GroupCommits ofGroup = commits.compute(groupId, (id, known) -> (known == null ? fresh() : known).entered());
        return ofGroup.submit(named, deadlineNanos, judged).whenComplete((answer, failure) -> {
            var unused = commits.computeIfPresent(groupId, (id, known) -> known.left() ? null : known);
        });
    }

    private GroupCommits fresh() {
        return new GroupCommits(coordinator, upstream, OffsetRequests::freshAdmissionId, connection);
    }

    /** Number of groups whose commits are not all answered. */
    int groupsUnderWay() {
        return commits.size();
    }
}
