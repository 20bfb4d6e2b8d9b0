package io.muster.gateway.coordinator;

import io.grpc.Status;
import io.muster.core.Command;
import io.muster.core.GroupError;
import io.muster.core.Limits;
import io.muster.core.Response;
import io.muster.core.TopicInfo;
import io.muster.rpc.DaemonThreads;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.GroupSummary;
import io.muster.runtime.ShardRouter;
import io.muster.runtime.TopicReport;
import io.muster.wire.ClaimCodec;
import io.muster.wire.CommandCodec;
import io.muster.wire.InvalidFrameException;
import io.muster.wire.ListingCodec;
import io.muster.wire.ResponseCodec;
import io.muster.wire.ValueCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Talks to the coordinator nodes over gRPC, to the local one as to any other. */
public final class GrpcCoordinator implements Coordinator, AutoCloseable {
    private static final int THREADS = 2;
    /** Of the frame around a request; ample. */
    private static final int FRAMING_BYTES = 64;

    private static final long TICK_MILLIS = 50;
    private static final long NUDGE_MILLIS = 250;

    private volatile Wire.GatewayFrame troubles = Wire.GatewayFrame.newBuilder()
            .setTroubles(Wire.Troubles.getDefaultInstance())
            .build();
    private final CoordinatorClientConfig config;
    private final ClaimExecutor claims;
    private final LeasedTopics topics;
    private final ShardRouting routing = new ShardRouting();
    private final OwnedGroupIds owned = new OwnedGroupIds();
    private final AtomicLong lastNumber = new AtomicLong();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, DaemonThreads.named("coordinator"));
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("coordinator-timer"));
    private final List<NodeLink> links;

    /**
     * Begins to connect to all nodes and returns at once.
     *
     * @param claims executes claim operations upstream
     * @param topics watches upstream topics
     */
    public GrpcCoordinator(CoordinatorClientConfig config, ClaimExecutor claims, TopicWatcher topics) {
        this.config = config;
        this.claims = claims;
        this.topics = new LeasedTopics(topics);
        NodeStream.Events events = new Frames();
        KnownCluster cluster = new KnownCluster(config.cluster());
        this.links = config.nodes().stream()
                .map(node -> new NodeLink(node, config, cluster, events, new NodeLink.Threads(timer, threads)))
                .toList();
        links.forEach(NodeLink::open);
        every(TICK_MILLIS, () -> routing.expire(System.nanoTime()));
        every(NUDGE_MILLIS, () -> links.forEach(NodeLink::nudge));
    }

    @Override
    public CompletableFuture<Response> submit(Command command) {
        Wire.Request.Builder request = Wire.Request.newBuilder().setCommand(CommandCodec.encode(command));
        return send(command.groupId(), request).thenApply(reply -> {
            Response response = responseOf(reply);
            if (isLive(response)) {
                owned.add(new ShardRouter(routing.shards()).shardOf(command.groupId()), command.groupId());
            }
            return response;
        });
    }

    @Override
    public boolean owns(String groupId) {
        int shards = routing.shards();
        return shards > 0 && owned.contains(new ShardRouter(shards).shardOf(groupId), groupId);
    }

    @Override
    public boolean ownershipKnown() {
        return owned.isComplete(routing.shards());
    }

    @Override
    public boolean hasLeader(String groupId) {
        return routing.hasLeader(groupId);
    }

    @Override
    public CompletableFuture<GroupListings> listGroups() {
        int shards = routing.shards();
        CompletableFuture<GroupListings> all =
                CompletableFuture.completedFuture(new GroupListings(List.of(), shards > 0));
        for (int shard = 0; shard < shards; shard++) {
            all = all.thenCombine(send("", Wire.Request.newBuilder().setListShard(shard)), GrpcCoordinator::merge);
        }
        return all;
    }

    @Override
    public void topicsTouched(Set<String> names, Set<String> deleted) {
        Wire.GatewayFrame frame = Wire.GatewayFrame.newBuilder()
                .setTopicsTouched(Wire.TopicsTouched.newBuilder()
                        .addAllNames(new TreeSet<>(names))
                        .addAllDeleted(new TreeSet<>(deleted)))
                .build();
        links.forEach(link -> link.send(frame));
    }

    @Override
    public void troubles(List<String> lines) {
        Wire.GatewayFrame frame = Wire.GatewayFrame.newBuilder()
                .setTroubles(Wire.Troubles.newBuilder().addAllTroubles(lines))
                .build();
        troubles = frame;
        links.forEach(link -> link.send(frame));
    }

    @Override
    public void close() {
        timer.shutdownNow();
        links.forEach(NodeLink::close);
        threads.shutdown();
    }

    private void every(long intervalMillis, Runnable task) {
        var unused = timer.scheduleWithFixedDelay(task, intervalMillis, intervalMillis, TimeUnit.MILLISECONDS);
    }

    private CompletableFuture<Wire.Reply> send(String groupId, Wire.Request.Builder request) {
        long number = lastNumber.incrementAndGet();
        long now = System.nanoTime();
        CompletableFuture<Wire.Reply> answer = new CompletableFuture<>();
        Wire.Request message = request.setCorrelationId(number).build();
        if (message.getSerializedSize() > Limits.DEFAULT.messageBytes() - FRAMING_BYTES) {
            return CompletableFuture.completedFuture(tooLarge(message));
        }
        routing.submit(new PendingRequest(
                number,
                groupId,
                message,
                now + config.failoverPatience().toNanos(),
                now + config.answerPatience().toNanos(),
                answer));
        return answer;
    }

    /** The stream is everybody's: what the node would not take must not be sent. */
    private static Wire.Reply tooLarge(Wire.Request message) {
        String reason = "The request has " + message.getSerializedSize() + " bytes, and the most is "
                + Limits.DEFAULT.messageBytes() + ".";
        return Wire.Reply.newBuilder()
                .setResponse(ResponseCodec.encode(new Response.Refused(GroupError.INVALID_REQUEST, reason)))
                .build();
    }

    private static Response responseOf(Wire.Reply reply) {
        try {
            return ResponseCodec.decode(reply.getResponse());
        } catch (InvalidFrameException e) {
            return new Response.Refused(
                    GroupError.COORDINATOR_NOT_AVAILABLE, "The node speaks a newer version: " + e.getMessage());
        }
    }

    private static boolean isLive(Response response) {
        if (response instanceof Response.ConsumerHeartbeatAnswer consumer) {
            return consumer.memberEpoch() > 0;
        }
        return response instanceof Response.StreamsHeartbeatAnswer streams && streams.memberEpoch() > 0;
    }

    private static GroupListings merge(GroupListings sum, Wire.Reply reply) {
        if (reply.getAnswerCase() != Wire.Reply.AnswerCase.LISTINGS) {
            return new GroupListings(sum.groups(), false);
        }
        List<GroupSummary> groups = new ArrayList<>(sum.groups());
        groups.addAll(ListingCodec.decode(reply.getListings().getGroupsList()));
        return new GroupListings(groups, sum.complete());
    }

    /** What the nodes say. */
    private final class Frames implements NodeStream.Events {
        @Override
        public void frame(NodeStream stream, Wire.NodeFrame frame) {
            switch (frame.getFrameCase()) {
                case WELCOME -> {
                    routing.opened(stream, frame.getWelcome());
                    stream.send(troubles);
                }
                case REPLY -> routing.replied(stream, frame.getReply());
                case LEADERSHIP -> routing.leadership(stream, frame.getLeadership());
                case OWNED_GROUPS -> owned.accept(stream, frame.getOwnedGroups());
                case CLAIM_REQUEST -> claim(stream, frame.getClaimRequest());
                case TOPIC_LEASE -> topics.leased(stream, frame.getTopicLease());
                case TOPIC_LOOK -> topics.look(stream, frame.getTopicLook());
                case FRAME_NOT_SET -> throw new InvalidFrameException("unknown frame");
            }
        }

        @Override
        public void ready(NodeStream stream) {
            routing.readyAgain(stream);
        }

        @Override
        public void ended(NodeStream stream, Status status) {
            routing.closed(stream);
            owned.closed(stream);
            topics.closed(stream);
        }

        private void claim(NodeStream stream, Wire.ClaimRequest request) {
            long startedNanos = System.nanoTime();
            long patienceNanos = TimeUnit.MILLISECONDS.toNanos(request.getPatienceMillis());
            claims.start(
                    new ClaimExecutor.Task(
                            request.getGroupId(),
                            ClaimCodec.decode(request.getOperation()),
                            ClaimCodec.decode(request.getMarks())),
                    () -> stream.hasEnded() || System.nanoTime() - startedNanos > patienceNanos,
                    outcome -> stream.send(Wire.GatewayFrame.newBuilder()
                            .setClaimReport(Wire.ClaimReport.newBuilder()
                                    .setOperationId(request.getOperationId())
                                    .setOutcome(ClaimCodec.encode(outcome)))
                            .build()));
        }
    }

    /** Usually one frame; of a report that is too large for one, its halves. */
    static List<Wire.GatewayFrame> framesOf(TopicLease lease, TopicReport report) {
        Wire.GatewayFrame frame = frameOf(lease, report);
        if (frame.getSerializedSize() <= Limits.DEFAULT.messageBytes()
                || report.present().size() < 2) {
            return List.of(frame);
        }
        int half = report.present().size() / 2;
        List<TopicInfo> present = report.present();
        List<Wire.GatewayFrame> frames = new ArrayList<>(
                framesOf(lease, new TopicReport(present.subList(0, half), report.absent(), report.deleted())));
        frames.addAll(framesOf(lease, new TopicReport(present.subList(half, present.size()), Set.of(), Set.of())));
        return frames;
    }

    private static Wire.GatewayFrame frameOf(TopicLease lease, TopicReport report) {
        return Wire.GatewayFrame.newBuilder()
                .setTopicReport(Wire.TopicReport.newBuilder()
                        .setShard(lease.shard())
                        .setLease(lease.number())
                        .addAllPresent(report.present().stream()
                                .map(ValueCodec::encode)
                                .toList())
                        .addAllAbsent(new TreeSet<>(report.absent()))
                        .addAllDeleted(new TreeSet<>(report.deleted())))
                .build();
    }
}
