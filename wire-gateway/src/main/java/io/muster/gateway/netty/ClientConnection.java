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
import io.muster.gateway.kafka.permissions.Permissions;
import io.muster.gateway.upstream.ClientCalls;
import io.muster.gateway.upstream.ClientUpstreamConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection: what it sends goes the way the dispatcher says, and the replies come in order. */
final class ClientConnection extends ChannelInboundHandlerAdapter implements ClientSession {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

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
    private final String host;
    private boolean endsWithUpstream;

    ClientConnection(Channel channel, int brokerId, Services services) {
        this.channel = channel;
        this.brokerId = brokerId;
        this.services = services;
        this.dispatcher = services.dispatcher();
        this.orderer = new ResponseOrderer(
                this::write, System::nanoTime, services.config().lateAfter().toNanos());
        this.upstream = new ClientUpstreamConnection(
                services.wiring(channel.eventLoop()),
                () -> services.brokers().upstreamOf(brokerId),
                new UpstreamListener());
        this.calls = new ClientCalls(upstream, channel.eventLoop(), services.versions(), brokerId);
        this.offsets = services.offsets(calls);
        this.permissions = new Permissions(calls, System::nanoTime);
        this.pressure = new BackPressure(channel, services.config().maxInFlight());
        this.host =
                "/" + ((InetSocketAddress) channel.remoteAddress()).getAddress().getHostAddress();
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
        boolean passedOn = false;
        try {
            KafkaRequest request = KafkaRequest.parse(frame.nioBuffer(
                    frame.readerIndex() + KafkaFrames.LENGTH_BYTES, frame.readableBytes() - KafkaFrames.LENGTH_BYTES));
            calls.clientId(request.clientId());
            Route route = dispatcher.route(request, this);
            passedOn = route instanceof Route.Pass;
            if (route instanceof Route.Pass pass) {
                pass(frame, request, pass);
            } else if (route instanceof Route.Answer answer) {
                answer(request, answer);
            }
        } catch (MalformedRequestException e) {
            LOG.atDebug().addKeyValue("client", host).setCause(e).log("a connection is closed for what it sent");
            end();
        } finally {
            if (!passedOn) {
                frame.release();
            }
        }
        pressure.inFlight(orderer.inFlight());
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext from) {
        upstream.read(channel.isWritable());
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) {
        orderer.close();
        upstream.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        LOG.atDebug().addKeyValue("client", host).setCause(cause).log("a connection is closed");
        end();
    }

    private void pass(ByteBuf frame, KafkaRequest request, Route.Pass pass) {
        endsWithUpstream |= !pass.answered() || request.api() == ApiKeys.SASL_AUTHENTICATE;
        Optional<ClientUpstreamConnection.Reply> reply =
                pass.answered() ? Optional.of(new PassedReply(request, pass, orderer.next())) : Optional.empty();
        upstream.send(frame, reply);
    }

    private void answer(KafkaRequest request, Route.Answer answer) {
        ResponseOrderer.Slot slot = orderer.next();
        Function<ApiMessage, ByteBuf> framed = body -> frame(request, body);
        Optional<Supplier<ByteBuf>> late = answer.late().map(body -> () -> framed.apply(body));
        var unused = answer.message()
                .whenComplete((body, failure) -> onLoop(() -> {
                    if (failure != null) {
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
        pressure.inFlight(orderer.inFlight());
    }

    private void end() {
        var unused = channel.close();
    }

    private final class UpstreamListener implements ClientUpstreamConnection.Listener {
        @Override
        public void writable(boolean writable) {
            pressure.upstreamWritable(writable);
        }

        @Override
        public void ended() {
            pressure.upstreamWritable(true);
            if (endsWithUpstream) {
                end();
            }
        }
    }

    /** What becomes of upstream's response to a request that was passed. */
    private final class PassedReply implements ClientUpstreamConnection.Reply {
        private final KafkaRequest request;
        private final Route.Pass pass;
        private final ResponseOrderer.Slot slot;

        PassedReply(KafkaRequest request, Route.Pass pass, ResponseOrderer.Slot slot) {
            this.request = request;
            this.pass = pass;
            this.slot = slot;
        }

        @Override
        public void received(ByteBuf frame) {
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
            if (pass.whenAway().isPresent()) {
                slot.complete(frame(request, pass.whenAway().get().get()), Optional.empty());
            } else {
                end();
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
