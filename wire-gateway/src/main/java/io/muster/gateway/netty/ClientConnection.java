package io.muster.gateway.netty;

import io.muster.core.ClientInfo;
import io.muster.gateway.kafka.ApiDispatcher;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import io.muster.gateway.kafka.order.Concern;
import io.muster.gateway.kafka.order.RequestOrder;
import io.muster.gateway.kafka.permissions.Permissions;
import io.muster.gateway.upstream.ClientCalls;
import io.muster.gateway.upstream.ClientUpstreamConnection;
import io.muster.gateway.upstream.ReadGate;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection: what it sends goes the way the dispatcher says, and the replies come in order. */
final class ClientConnection extends ChannelInboundHandlerAdapter implements ClientSession {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
    private static final RequestOrder.Begun NOTHING =
            new RequestOrder.Begun(false, CompletableFuture.completedFuture(null));

    private final Channel channel;
    private final int brokerId;
    private final Services services;
    private final ApiDispatcher dispatcher;
    private final ResponseOrderer orderer;
    private final ClientUpstreamConnection upstream;
    private final ClientCalls calls;
    private final OffsetRequests offsets;
    private final Permissions permissions;
    private final BackPressure pressure;
    private final RequestOrder order;
    private final Authentication authentication;
    private final HandshakeTurn turns = new HandshakeTurn();
    private final SilenceWatch silence;
    private final UntakenReplies pending;
    private final LoopThread thread;
    private final ConnectionEnd end;
    private final PassedRequests passed;
    private final AnsweredRequests answered;
    private final CompletableFuture<Void> finished = new CompletableFuture<>();
    private boolean gone;
    private long arrivals;
    /** No request that arrived after this one is carried out. */
    private long lastArrival = Long.MAX_VALUE;

    ClientConnection(Channel channel, int brokerId, Services services) {
        this.channel = channel;
        this.services = services;
        this.thread = new LoopThread(channel.eventLoop());
        this.end = new ConnectionEnd(
                channel,
                "/" + ((InetSocketAddress) channel.remoteAddress()).getAddress().getHostAddress());
        this.brokerId = brokerId;
        this.dispatcher = services.dispatcher();
        this.pending = services.frames().repliesTo(channel);
        this.orderer = new ResponseOrderer(
                this::write, System::nanoTime, services.patience().lateAfter().toNanos(), pending);
        this.upstream = new ClientUpstreamConnection(
                services.upstream().wiring().on(channel.eventLoop()),
                () -> services.upstream().addresses().upstreamOf(brokerId),
                new UpstreamListener());
        this.calls = new ClientCalls(
                upstream, channel.eventLoop(), services.upstream().versions(), brokerId);
        this.offsets = services.offsets().of(calls, thread);
        this.permissions = new Permissions(calls, services.permissions());
        this.pressure = new BackPressure(
                ReadGate.of(channel), services.frames().limits().inFlight());
        this.order = new RequestOrder(thread, services.patience().heartbeat(), this::finishIfDone);
        this.authentication = new Authentication(!services.upstream().anonymous(), upstream, permissions);
        this.silence = new SilenceWatch(
                channel.eventLoop(),
                brokerId,
                services.upstream().pulse(),
                services.patience().silence(),
                upstream,
                end::close);
        this.passed = new PassedRequests(upstream, authentication, silence, thread, end);
        this.answered = new AnsweredRequests(thread, end, this::finishIfDone);
    }

    /** To be put before this handler. */
    UntakenReplies untakenReplies() {
        return pending;
    }

    /** Whether the client waits for replies that are not there yet. */
    boolean owesReplies() {
        return orderer.inFlight() > 0 && !pending.clientCouldTake();
    }

    @Override
    public int brokerId() {
        return brokerId;
    }

    @Override
    public ClientInfo client(KafkaRequest request) {
        String clientId = request.clientId();
        return new ClientInfo(clientId == null ? "" : clientId, end.host());
    }

    @Override
    public boolean isAnonymous() {
        return services.upstream().anonymous();
    }

    @Override
    public boolean isBrokerSilent() {
        return silence.hasGivenUp();
    }

    @Override
    public void authenticated(SaslAuthenticateResponseData answer) {
        authentication.answered(answer);
    }

    @Override
    public Executor thread() {
        return thread;
    }

    @Override
    public ClientUpstream upstream() {
        return calls;
    }

    @Override
    public Permissions permissions() {
        return permissions;
    }

    @Override
    public OffsetRequests offsets() {
        return offsets;
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        ByteBuf frame = (ByteBuf) message;
        long arrivedNanos = thread.nanoTime();
        if (!turns.park(frame, orderer.inFlight(), arrivedNanos)) {
            handle(frame, arrivedNanos);
        }
        pressure.inFlight(orderer.inFlight() + turns.parked());
    }

    private void handle(ByteBuf frame, long arrivedNanos) {
        if (end.isClosed()) {
            frame.release();
        } else if (authentication.takes(frame)) {
            passed.passToken(frame);
        } else {
            request(frame, arrivedNanos);
        }
    }

    private void request(ByteBuf frame, long arrivedNanos) {
        try {
            KafkaRequest request = KafkaRequest.parse(
                    frame.nioBuffer(
                            frame.readerIndex() + KafkaFrames.LENGTH_BYTES,
                            frame.readableBytes() - KafkaFrames.LENGTH_BYTES),
                    arrivedNanos + services.patience().request().toNanos());
            end.guard(request.api(), () -> arrived(frame, request));
        } catch (MalformedRequestException e) {
            end.malformed(e);
        } finally {
            frame.release();
        }
    }

    private void arrived(ByteBuf frame, KafkaRequest request) {
        try {
            calls.clientId(request.clientId());
            authentication.arrived(request.api());
            Concern concern = dispatcher.concern(request);
            if (concern.kind() == Concern.Kind.NONE) {
                route(frame.retain(), request, orderer::next);
            } else {
                order.enter(concern, request.deadlineNanos(), new Ordered(frame.retain(), request, orderer.next()));
            }
        } catch (MalformedRequestException e) {
            end.malformed(e);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext from) {
        upstream.read(channel.isWritable());
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) {
        orderer.close();
        silence.close();
        turns.close();
        upstream.endExchange();
        upstream.read(true);
        gone = true;
        finishIfDone();
        if (!finished.isDone()) {
            Runnable cancel =
                    thread.schedule(untilDeadlines().plus(services.patience().finishWithin()), this::abandon);
            var unused = finished.thenRun(cancel);
        }
    }

    /** Completes when the client is gone and what it sent is carried out, or given up. */
    CompletableFuture<Void> finished() {
        return finished;
    }

    /** What was received is carried out although the client is gone, as a broker does; upstream is closed after that. */
    private void finishIfDone() {
        if (gone && !answered.any() && order.isEmpty()) {
            upstream.closeOnceIdle();
        }
    }

    /** How long until no request waits for its turn or is tried again. */
    private Duration untilDeadlines() {
        long now = thread.nanoTime();
        long waiting = order.latestDeadlineNanos().orElse(now) - now;
        long answering = answered.latestDeadlineNanos().orElse(now) - now;
        return Duration.ofNanos(Math.max(0, Math.max(waiting, answering)));
    }

    private void abandon() {
        services.abandoned().increment();
        LOG.atDebug()
                .addKeyValue("client", end.host())
                .log("requests of a client that is gone were not finished in time");
        upstream.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        end.broken(cause);
    }

    /**
     * Lets a request take effect.
     *
     * @param frame released by the callee
     * @param slot the place of the response, if there is one
     */
    private RequestOrder.Begun route(ByteBuf frame, KafkaRequest request, Supplier<ResponseOrderer.Slot> slot)
            throws MalformedRequestException {
        try {
            Route route = dispatcher.route(request, this);
            return route instanceof Route.Pass pass
                    ? new RequestOrder.Begun(true, passed.pass(frame.retain(), request, pass, slot))
                    : new RequestOrder.Begun(false, answered.answer(request, (Route.Answer) route, slot.get()));
        } finally {
            frame.release();
        }
    }

    private void write(ByteBuf frame) {
        var unused = channel.writeAndFlush(frame, channel.voidPromise());
        if (turns.parked() > 0 && orderer.inFlight() == 0) {
            channel.eventLoop().execute(() -> turns.go(orderer::inFlight, this::handle));
        }
        pressure.inFlight(orderer.inFlight() + turns.parked());
    }

    private final class UpstreamListener implements ClientUpstreamConnection.Listener {
        @Override
        public void waiting() {
            silence.waiting();
        }

        @Override
        public void heard() {
            services.upstream().pulse().heard(brokerId);
        }

        @Override
        public void token(ByteBuf frame) {
            write(frame);
        }

        @Override
        public void writable(boolean writable) {
            pressure.upstreamWritable(writable);
        }

        @Override
        public void closed() {
            finished.complete(null);
            passed.upstreamClosed();
        }

        @Override
        public void ended() {
            pressure.upstreamWritable(true);
            passed.upstreamEnded();
        }
    }

    /** A request whose turn may have to come first. */
    private final class Ordered implements RequestOrder.Request {
        private final long arrival = arrivals++;
        private final ByteBuf frame;
        private final KafkaRequest request;
        private final ResponseOrderer.Slot slot;

        Ordered(ByteBuf frame, KafkaRequest request, ResponseOrderer.Slot slot) {
            this.frame = frame;
            this.request = request;
            this.slot = slot;
        }

        @Override
        public RequestOrder.Begun begin() {
            return begin(false);
        }

        @Override
        public RequestOrder.Begun beginLate() {
            return begin(true);
        }

        /** A request that cannot be handled ends its connection: those that arrived after it are dropped. */
        private RequestOrder.Begun begin(boolean late) {
            try {
                if (arrival > lastArrival || (late && refused())) {
                    return NOTHING;
                }
                return route(frame.retain(), request, () -> slot);
            } catch (MalformedRequestException e) {
                lastArrival = Math.min(lastArrival, arrival);
                end.malformed(e);
            } catch (RuntimeException e) {
                lastArrival = Math.min(lastArrival, arrival);
                end.failed(request.api(), e);
            } finally {
                frame.release();
            }
            return NOTHING;
        }

        private boolean refused() throws MalformedRequestException {
            Optional<ApiMessage> refusal = dispatcher.late(request);
            refusal.ifPresent(
                    body -> slot.complete(ResponseFrames.frame(request, body, channel.alloc()), Optional.empty()));
            return refusal.isPresent();
        }
    }
}
