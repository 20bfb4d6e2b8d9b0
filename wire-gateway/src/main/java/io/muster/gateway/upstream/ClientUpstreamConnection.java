package io.muster.gateway.upstream;

import io.muster.gateway.kafka.BrokerAddress;
import io.muster.gateway.kafka.KafkaFrames;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * The upstream connection of one client: opened when first needed, opened again when needed after it was lost. Requests get
 * correlation ids of its own, so that Muster's requests can go between the client's. Used on the client's event loop only.
 */
public final class ClientUpstreamConnection {
    private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

    /** What becomes of a request that was sent. */
    public interface Reply {
        /** The whole response frame, owned by the callee; its correlation id is not the client's. */
        void received(ByteBuf frame);

        /** There will be no response; upstream may or may not have acted on the request. */
        void lost(IOException reason);

        /** The response keeps the client waiting while the broker is silent; it may still come. Said more than once. */
        default void overdue() {}
    }

    /** What happens to the connection as a whole. */
    public interface Listener {
        /** A request waits for an answer, or for a connection. */
        default void waiting() {}

        /** Something came from upstream. */
        default void heard() {}

        /** Bytes that answer {@link #sendToken}, owned by the callee. */
        default void token(ByteBuf frame) {
            frame.release();
        }

        /** Whether upstream takes more. */
        void writable(boolean writable);

        /** A connection ended, or could not be made; the requests in flight were lost before. */
        void ended();

        /** It is closed for good; the requests in flight were lost before. */
        void closed();
    }

    /** How connections are made. */
    public record Wiring(
            EventLoop loop,
            Class<? extends SocketChannel> channelType,
            HostNames names,
            Supplier<ChannelHandler> framing) {}

    private sealed interface State {
        /** Not needed yet, or lost. */
        record Idle() implements State {}

        record Connecting(List<Outgoing> waiting) implements State {}

        record Open(Channel channel, Queue<InFlight> inFlight) implements State {}

        record Closed(IOException reason) implements State {}
    }

    /**
     * @param token whether the frame is no request
     * @param sinceNanos when it was to be sent
     */
    private record Outgoing(ByteBuf frame, Optional<Reply> reply, boolean token, long sinceNanos) {}

    private record InFlight(int correlationId, Reply reply, long sinceNanos) {}

    private final Wiring wiring;
    private final Supplier<Optional<BrokerAddress>> address;
    private final Listener listener;
    private final List<Outgoing> held = new ArrayList<>();
    private State state = new State.Idle();
    private boolean reading = true;
    private boolean closing;
    private boolean inExchange;
    private boolean tokens;
    private int nextCorrelationId;

    public ClientUpstreamConnection(Wiring wiring, Supplier<Optional<BrokerAddress>> address, Listener listener) {
        this.wiring = wiring;
        this.address = address;
        this.listener = listener;
    }

    /**
     * Sends a request frame, after all that were sent before.
     *
     * @param frame length included; released by the callee, its correlation id is overwritten
     * @param reply empty if upstream answers nothing to this request
     */
    public void send(ByteBuf frame, Optional<Reply> reply) {
        Outgoing outgoing = new Outgoing(frame, reply, false, System.nanoTime());
        if (inExchange) {
            held.add(outgoing);
        } else {
            send(outgoing);
        }
    }

    /** Lets nothing between the requests or tokens by which the client says who it is, until {@link #endExchange}. */
    public void beginExchange() {
        inExchange = true;
    }

    /** Sends a request by which the client says who it is. */
    public void sendInExchange(ByteBuf frame, Optional<Reply> reply) {
        send(new Outgoing(frame, reply, false, System.nanoTime()));
    }

    /** Sends bytes by which the client says who it is, as they are; what comes back is said to the listener. */
    public void sendToken(ByteBuf frame) {
        tokens = true;
        send(new Outgoing(frame, Optional.empty(), true, System.nanoTime()));
    }

    /** The client has said who it is: sends what was held back. */
    public void endExchange() {
        inExchange = false;
        tokens = false;
        List<Outgoing> all = List.copyOf(held);
        held.clear();
        all.forEach(this::send);
    }

    private void send(Outgoing outgoing) {
        if (state instanceof State.Open open) {
            write(open, outgoing);
            open.channel().flush();
        } else if (state instanceof State.Connecting connecting) {
            connecting.waiting().add(outgoing);
        } else if (state instanceof State.Closed closed) {
            lose(List.of(outgoing), closed.reason());
            return;
        } else {
            connect(outgoing);
        }
        listener.waiting();
    }

    /** Since when the request waits that waits longest for its answer, on {@link System#nanoTime}; empty if none does. */
    public OptionalLong waitingSince() {
        if (state instanceof State.Open open && !open.inFlight().isEmpty()) {
            return OptionalLong.of(open.inFlight().element().sinceNanos());
        }
        return state instanceof State.Connecting connecting
                ? OptionalLong.of(connecting.waiting().get(0).sinceNanos())
                : OptionalLong.empty();
    }

    /** Calls {@link Reply#overdue} of those that have waited since this time or longer. */
    public void overdue(long sinceNanos) {
        List<Reply> all = new ArrayList<>();
        if (state instanceof State.Open open) {
            open.inFlight().stream()
                    .filter(one -> one.sinceNanos() - sinceNanos <= 0)
                    .forEach(one -> all.add(one.reply()));
        } else if (state instanceof State.Connecting connecting) {
            connecting.waiting().stream()
                    .filter(one -> one.sinceNanos() - sinceNanos <= 0)
                    .forEach(one -> one.reply().ifPresent(all::add));
        }
        all.forEach(Reply::overdue);
    }

    public boolean isClosed() {
        return state instanceof State.Closed;
    }

    /** Stops or resumes reading responses. */
    public void read(boolean wanted) {
        reading = wanted;
        if (state instanceof State.Open open) {
            ReadGate.of(open.channel()).close(ReadGate.PauseReason.REPLIES_UNREAD, !wanted);
        }
    }

    /** Closes for good as soon as all requests are sent and answered. */
    public void closeOnceIdle() {
        closing = true;
        closeIfIdle();
    }

    /** Closes for good; requests in flight are lost. */
    public void close() {
        giveUp(new IOException("the connection was closed"));
    }

    /** Closes for good; requests in flight, and all that come, are lost for this reason. Does nothing if it was closed before. */
    public void giveUp(IOException reason) {
        State before = state;
        if (before instanceof State.Closed) {
            return;
        }
        state = new State.Closed(reason);
        if (before instanceof State.Open open) {
            var unused = open.channel().close();
            loseAll(open, reason);
        } else if (before instanceof State.Connecting connecting) {
            lose(connecting.waiting(), reason);
        }
        breakOffExchange(reason);
        listener.closed();
    }

    /** What was held back was meant for the client that would have said who it is. */
    private void breakOffExchange(IOException reason) {
        inExchange = false;
        tokens = false;
        List<Outgoing> all = List.copyOf(held);
        held.clear();
        lose(all, reason);
    }

    private void connect(Outgoing first) {
        Optional<BrokerAddress> target = address.get();
        if (target.isEmpty()) {
            lose(List.of(first), new ConnectException("the broker's address is not known"));
            listener.ended();
            return;
        }
        State.Connecting connecting = new State.Connecting(new ArrayList<>(List.of(first)));
        state = connecting;
        Bootstrap bootstrap = new Bootstrap()
                .group(wiring.loop())
                .channel(wiring.channelType())
                .resolver(wiring.names())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(wiring.framing().get(), new Responses());
                    }
                });
        ChannelFuture connected =
                bootstrap.connect(target.get().host(), target.get().port());
        var unused = connected.addListener(done -> connected(connecting, connected));
    }

    private void connected(State.Connecting connecting, ChannelFuture connected) {
        if (state != connecting) {
            var unused = connected.channel().close();
        } else if (!connected.isSuccess()) {
            state = new State.Idle();
            IOException reason = unreachable(connected.cause());
            lose(connecting.waiting(), reason);
            breakOffExchange(reason);
            listener.ended();
            closeIfIdle();
        } else {
            State.Open open = new State.Open(connected.channel(), new ArrayDeque<>());
            state = open;
            ReadGate.of(open.channel()).close(ReadGate.PauseReason.REPLIES_UNREAD, !reading);
            connecting.waiting().forEach(outgoing -> write(open, outgoing));
            open.channel().flush();
            closeIfIdle();
        }
    }

    private boolean isIdle() {
        return held.isEmpty()
                && !(state instanceof State.Connecting)
                && !(state instanceof State.Open open && !open.inFlight().isEmpty());
    }

    /** What was written goes out before the end. */
    private void closeIfIdle() {
        if (!closing || !isIdle()) {
            return;
        }
        if (state instanceof State.Open open) {
            var unused = open.channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
        if (!(state instanceof State.Closed)) {
            state = new State.Closed(new IOException("the connection was closed"));
            listener.closed();
        }
    }

    private static IOException unreachable(Throwable cause) {
        IOException reason = cause instanceof ConnectTimeoutException
                ? new BrokerSilentException("upstream does not take the connection")
                : new ConnectException("upstream cannot be reached");
        reason.initCause(cause);
        return reason;
    }

    private void write(State.Open open, Outgoing outgoing) {
        ByteBuf frame = outgoing.frame();
        if (!outgoing.token()) {
            int correlationId = nextCorrelationId++;
            frame.setInt(frame.readerIndex() + KafkaFrames.REQUEST_CORRELATION_ID_AT, correlationId);
            outgoing.reply()
                    .ifPresent(reply -> open.inFlight().add(new InFlight(correlationId, reply, outgoing.sinceNanos())));
        }
        var unused = open.channel().write(frame);
    }

    private void received(Channel channel, ByteBuf frame) {
        if (!(state instanceof State.Open open) || open.channel() != channel) {
            frame.release();
            return;
        }
        listener.heard();
        InFlight first = open.inFlight().poll();
        if (first == null && tokens) {
            listener.token(frame);
            return;
        }
        if (first != null && answers(frame, first)) {
            first.reply().received(frame);
            closeIfIdle();
            return;
        }
        frame.release();
        if (first != null) {
            first.reply().lost(new IOException("upstream answered out of order"));
        }
        var unused = channel.close();
    }

    private static boolean answers(ByteBuf frame, InFlight request) {
        return frame.readableBytes() >= KafkaFrames.RESPONSE_CORRELATION_ID_AT + Integer.BYTES
                && frame.getInt(frame.readerIndex() + KafkaFrames.RESPONSE_CORRELATION_ID_AT)
                        == request.correlationId();
    }

    private void ended(Channel channel) {
        if (state instanceof State.Open open && open.channel() == channel) {
            state = new State.Idle();
            IOException reason = new IOException("upstream closed the connection");
            loseAll(open, reason);
            breakOffExchange(reason);
            listener.ended();
            closeIfIdle();
        }
    }

    private static void loseAll(State.Open open, IOException reason) {
        for (InFlight one = open.inFlight().poll();
                one != null;
                one = open.inFlight().poll()) {
            one.reply().lost(reason);
        }
    }

    private static void lose(List<Outgoing> waiting, IOException reason) {
        for (Outgoing outgoing : waiting) {
            outgoing.frame().release();
            outgoing.reply().ifPresent(reply -> reply.lost(reason));
        }
    }

    /** The end of the upstream channel's pipeline. */
    private final class Responses extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            received(context.channel(), (ByteBuf) message);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            listener.writable(context.channel().isWritable());
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            ended(context.channel());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var unused = context.close();
        }
    }
}
