package io.muster.gateway.netty;

import io.muster.core.ClientInfo;
import io.muster.gateway.kafka.ApiDispatcher;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorResponses;
import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import io.muster.gateway.kafka.order.Concern;
import io.muster.gateway.kafka.order.RequestOrder;
import io.muster.gateway.kafka.permissions.Permissions;
import io.muster.gateway.upstream.BrokerSilentException;
import io.muster.gateway.upstream.ClientCalls;
import io.muster.gateway.upstream.ClientUpstreamConnection;
import io.muster.gateway.upstream.ReadGate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
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
    private final PendingReplies pending;
    private final String host;
    private final LoopThread thread;
    private final CompletableFuture<Void> finished = new CompletableFuture<>();
    private boolean endsWithUpstream;
    /** Whether requests went upstream that nothing answers: the end of the connection is all that tells of their loss. */
    private boolean passedUnanswered;

    private boolean gone;
    private int unanswered;
    /** The latest deadline of the requests that Muster answers. */
    private long lastDeadlineNanos;

    ClientConnection(Channel channel, int brokerId, Services services) {
        this.channel = channel;
        this.services = services;
        this.thread = new LoopThread(channel.eventLoop());
        this.lastDeadlineNanos = thread.nanoTime();
        this.brokerId = brokerId;
        this.dispatcher = services.dispatcher();
        this.pending = services.replies(channel);
        this.orderer = new ResponseOrderer(
                this::write, System::nanoTime, services.config().lateAfter().toNanos(), pending);
        this.upstream = new ClientUpstreamConnection(
                services.wiring(channel.eventLoop()),
                () -> services.brokers().upstreamOf(brokerId),
                new UpstreamListener());
        this.calls = new ClientCalls(upstream, channel.eventLoop(), services.versions(), brokerId);
        this.offsets = services.offsets(calls, thread);
        this.permissions = new Permissions(calls, System::nanoTime);
        this.pressure = new BackPressure(
                ReadGate.of(channel), services.config().limits().inFlight());
        this.order = new RequestOrder(thread, services.config().heartbeatPatience(), this::finishIfDone);
        this.authentication = new Authentication(!services.anonymous(), upstream, permissions);
        this.silence = new SilenceWatch(
                channel.eventLoop(), brokerId, services.pulse(), services.patience(), upstream, this::end);
        this.host =
                "/" + ((InetSocketAddress) channel.remoteAddress()).getAddress().getHostAddress();
    }

    /** To be put before this handler. */
    PendingReplies pendingReplies() {
        return pending;
    }

    /** Whether the client waits for replies that are not there yet. */
    boolean owesReplies() {
        return orderer.inFlight() > 0 && !pending.any();
    }

    @Override
    public int brokerId() {
        return brokerId;
    }

    @Override
    public ClientInfo client(KafkaRequest request) {
        String clientId = request.clientId();
        return new ClientInfo(clientId == null ? "" : clientId, host);
    }

    @Override
    public boolean isAnonymous() {
        return services.anonymous();
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
        if (!turns.park(frame, orderer.inFlight())) {
            handle(frame);
        }
        pressure.inFlight(orderer.inFlight() + turns.parked());
    }

    private void handle(ByteBuf frame) {
        if (authentication.takes(frame)) {
            endsWithUpstream = true;
            upstream.sendToken(frame);
        } else {
            request(frame);
        }
    }

    private void request(ByteBuf frame) {
        try {
            KafkaRequest request = KafkaRequest.parse(
                    frame.nioBuffer(
                            frame.readerIndex() + KafkaFrames.LENGTH_BYTES,
                            frame.readableBytes() - KafkaFrames.LENGTH_BYTES),
                    thread.nanoTime() + services.config().requestPatience().toNanos());
            calls.clientId(request.clientId());
            authentication.arrived(request.api());
            Concern concern = dispatcher.concern(request);
            if (concern.kind() == Concern.Kind.NONE) {
                route(frame.retain(), request, orderer::next);
            } else {
                ResponseOrderer.Slot slot = orderer.next();
                order.enter(concern, request.deadlineNanos(), new Ordered(frame.retain(), request, slot));
            }
        } catch (MalformedRequestException e) {
            malformed(e);
        } finally {
            frame.release();
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
                    thread.schedule(untilDeadlines().plus(services.config().finishWithin()), this::abandon);
            var unused = finished.thenRun(cancel);
        }
    }

    /** Completes when the client is gone and what it sent is carried out, or given up. */
    CompletableFuture<Void> finished() {
        return finished;
    }

    /** What was received is carried out although the client is gone, as a broker does; upstream is closed after that. */
    private void finishIfDone() {
        if (gone && unanswered == 0 && order.isEmpty()) {
            upstream.closeOnceIdle();
        }
    }

    /** How long until no request waits for its turn or is tried again. */
    private Duration untilDeadlines() {
        long now = thread.nanoTime();
        long waiting = order.latestDeadlineNanos().orElse(now) - now;
        long answering = unanswered > 0 ? lastDeadlineNanos - now : 0;
        return Duration.ofNanos(Math.max(0, Math.max(waiting, answering)));
    }

    private void abandon() {
        services.abandoned().increment();
        LOG.atDebug().addKeyValue("client", host).log("requests of a client that is gone were not finished in time");
        upstream.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        LOG.atDebug().addKeyValue("client", host).setCause(cause).log("a connection is closed");
        end();
    }

    private void malformed(MalformedRequestException e) {
        LOG.atDebug().addKeyValue("client", host).setCause(e).log("a connection is closed for what it sent");
        end();
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
                    ? new RequestOrder.Begun(true, pass(frame.retain(), request, pass, slot))
                    : new RequestOrder.Begun(false, answer(request, (Route.Answer) route, slot.get()));
        } finally {
            frame.release();
        }
    }

    private void passUnanswered(ByteBuf frame) {
        passedUnanswered = true;
        boolean lost = upstream.isClosed();
        upstream.send(frame, Optional.empty());
        if (lost) {
            end();
        }
    }

    private CompletableFuture<?> pass(
            ByteBuf frame, KafkaRequest request, Route.Pass pass, Supplier<ResponseOrderer.Slot> slot) {
        endsWithUpstream |= !pass.answered() || request.api() == ApiKeys.SASL_AUTHENTICATE;
        if (!pass.answered()) {
            passUnanswered(frame);
            return CompletableFuture.completedFuture(null);
        }
        PassedReply reply = new PassedReply(request, pass, slot.get());
        authentication.passes(request);
        if (Authentication.concerns(request.api())) {
            upstream.sendInExchange(frame, Optional.of(reply));
        } else {
            upstream.send(frame, Optional.of(reply));
        }
        return reply.done;
    }

    private CompletableFuture<?> answer(KafkaRequest request, Route.Answer answer, ResponseOrderer.Slot slot) {
        Function<ApiMessage, ByteBuf> framed = body -> frame(request, body);
        Optional<Supplier<ByteBuf>> late = answer.late().map(body -> () -> framed.apply(body));
        unanswered++;
        lastDeadlineNanos = Math.max(lastDeadlineNanos, request.deadlineNanos());
        return answer.message()
                .whenComplete((body, failure) -> onLoop(() -> {
                    unanswered--;
                    finishIfDone();
                    Optional<ApiMessage> refusal = failure == null ? Optional.empty() : refusal(request, failure);
                    if (refusal.isPresent()) {
                        slot.complete(framed.apply(refusal.get()), Optional.empty());
                    } else if (failure != null) {
                        LOG.atDebug()
                                .addKeyValue("api", request.api())
                                .setCause(failure)
                                .log("a request has no answer");
                        end();
                    } else {
                        slot.complete(framed.apply(body), late);
                    }
                }));
    }

    /** A client that waits for a silent broker is told to try again. */
    private static Optional<ApiMessage> refusal(KafkaRequest request, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof BrokerSilentException
                ? request.readBody().map(body -> ErrorResponses.of(request, body, Errors.COORDINATOR_NOT_AVAILABLE))
                : Optional.empty();
    }

    private static ByteBuf frame(KafkaRequest request, ApiMessage body) {
        return Unpooled.wrappedBuffer(
                KafkaFrames.response(request.api(), request.answerVersion(), request.correlationId(), body));
    }

    private void onLoop(Runnable task) {
        if (channel.eventLoop().inEventLoop()) {
            guarded(task);
        } else {
            channel.eventLoop().execute(() -> guarded(task));
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("client", host).setCause(e).log("a reply could not be written");
            end();
        }
    }

    private void write(ByteBuf frame) {
        var unused = channel.writeAndFlush(frame, channel.voidPromise());
        if (turns.parked() > 0 && orderer.inFlight() == 0) {
            channel.eventLoop().execute(() -> turns.go(orderer::inFlight, this::handle));
        }
        pressure.inFlight(orderer.inFlight() + turns.parked());
    }

    private void end() {
        var unused = channel.close();
    }

    private final class UpstreamListener implements ClientUpstreamConnection.Listener {
        @Override
        public void waiting() {
            silence.waiting();
        }

        @Override
        public void heard() {
            services.pulse().heard(brokerId);
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
            if (passedUnanswered) {
                end();
            }
        }

        @Override
        public void ended() {
            pressure.upstreamWritable(true);
            if (endsWithUpstream) {
                end();
            }
        }
    }

    /** A request whose turn may have to come first. */
    private final class Ordered implements RequestOrder.Request {
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
            try {
                return route(frame, request, () -> slot);
            } catch (MalformedRequestException e) {
                malformed(e);
            } catch (RuntimeException e) {
                LOG.atError().addKeyValue("api", request.api()).setCause(e).log("a request could not be handled");
                end();
            }
            return NOTHING;
        }

        @Override
        public RequestOrder.Begun beginLate() {
            try {
                Optional<ApiMessage> refusal = dispatcher.late(request);
                if (refusal.isEmpty()) {
                    return begin();
                }
                slot.complete(frame(request, refusal.get()), Optional.empty());
            } catch (MalformedRequestException e) {
                malformed(e);
            }
            frame.release();
            return NOTHING;
        }
    }

    /** What becomes of upstream's response to a request that was passed. */
    private final class PassedReply implements ClientUpstreamConnection.Reply {
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final KafkaRequest request;
        private final Route.Pass pass;
        private final ResponseOrderer.Slot slot;
        private boolean answered;

        PassedReply(KafkaRequest request, Route.Pass pass, ResponseOrderer.Slot slot) {
            this.request = request;
            this.pass = pass;
            this.slot = slot;
        }

        @Override
        public void received(ByteBuf frame) {
            if (answered) {
                frame.release();
            } else {
                answer(frame);
            }
            done.complete(null);
        }

        private void answer(ByteBuf frame) {
            Optional<ApiMessage> other;
            try {
                other = pass.rewrite().flatMap(rewrite -> rewrite.rewrite(body(frame)));
            } catch (RuntimeException e) {
                frame.release();
                LOG.atError().addKeyValue("api", request.api()).setCause(e).log("upstream's answer cannot be read");
                end();
                return;
            }
            if (other.isPresent()) {
                frame.release();
                slot.complete(frame(request, other.get()), Optional.empty());
            } else {
                frame.setInt(frame.readerIndex() + KafkaFrames.RESPONSE_CORRELATION_ID_AT, request.correlationId());
                slot.complete(frame, Optional.empty());
            }
        }

        @Override
        public void lost(IOException reason) {
            boolean silent = reason instanceof BrokerSilentException;
            Optional<Supplier<ApiMessage>> own = silent ? pass.whenSilent() : pass.whenAway();
            if (own.isEmpty() && !answered) {
                end();
            } else if (silent && !answered) {
                var unused = thread.schedule(silence.step(), this::overdue);
            } else {
                own.ifPresent(this::answer);
            }
            done.complete(null);
        }

        @Override
        public void overdue() {
            pass.whenSilent().ifPresent(this::answer);
        }

        private void answer(Supplier<ApiMessage> own) {
            if (!answered) {
                answered = true;
                slot.complete(frame(request, own.get()), Optional.empty());
            }
        }

        private ByteBuffer body(ByteBuf frame) {
            ByteBuffer body = frame.nioBuffer(
                    frame.readerIndex() + KafkaFrames.LENGTH_BYTES, frame.readableBytes() - KafkaFrames.LENGTH_BYTES);
            KafkaFrames.skipResponseHeader(body, request.api(), request.version());
            return body;
        }

        private ByteBuf frame(KafkaRequest answered, ApiMessage body) {
            return ClientConnection.frame(answered, body);
        }
    }
}
