package io.muster.gateway.netty;

import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.upstream.BrokerSilentException;
import io.muster.gateway.upstream.ClientUpstreamConnection;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** The requests of one client that go to its broker, and the responses to them. Used on the client's event loop only. */
final class PassedRequests {
    private final ClientUpstreamConnection upstream;
    private final Authentication authentication;
    private final SilenceWatch silence;
    private final LoopThread thread;
    private final ConnectionEnd end;
    private boolean endsWithUpstream;
    /** Whether requests went upstream that nothing answers: only the end of the connection says that they are lost. */
    private boolean passedUnanswered;

    PassedRequests(
            ClientUpstreamConnection upstream,
            Authentication authentication,
            SilenceWatch silence,
            LoopThread thread,
            ConnectionEnd end) {
        this.upstream = upstream;
        this.authentication = authentication;
        this.silence = silence;
        this.thread = thread;
        this.end = end;
    }

    /** Passes bytes by which the client says who it is. */
    void passToken(ByteBuf frame) {
        endsWithUpstream = true;
        upstream.sendToken(frame);
    }

    /**
     * Passes a request.
     *
     * @param frame released by the callee
     * @param slot the place of the response, if there is one
     * @return completes when upstream has answered, or never will
     */
    CompletableFuture<?> pass(
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

    private void passUnanswered(ByteBuf frame) {
        passedUnanswered = true;
        boolean lost = upstream.isClosed();
        upstream.send(frame, Optional.empty());
        if (lost) {
            end.close();
        }
    }

    /** A connection to upstream ended, or could not be made. */
    void upstreamEnded() {
        if (endsWithUpstream) {
            end.close();
        }
    }

    /** There will be no connection to upstream any more. */
    void upstreamClosed() {
        if (passedUnanswered) {
            end.close();
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
                answered = true;
                end.guard(request.api(), () -> slot.complete(response(frame), Optional.empty()));
            }
            done.complete(null);
        }

        /** The frame for the client; upstream's is released or returned. */
        private ByteBuf response(ByteBuf frame) {
            boolean kept = false;
            try {
                Optional<ApiMessage> other = pass.rewrite().flatMap(rewrite -> rewrite.rewrite(body(frame)));
                if (other.isPresent()) {
                    return frame(other.get());
                }
                frame.setInt(frame.readerIndex() + KafkaFrames.RESPONSE_CORRELATION_ID_AT, request.correlationId());
                kept = true;
                return frame;
            } finally {
                if (!kept) {
                    frame.release();
                }
            }
        }

        @Override
        public void lost(IOException reason) {
            boolean silent = reason instanceof BrokerSilentException;
            if (silent && pass.whenSilent().isPresent()) {
                var unused = thread.schedule(silence.step(), this::overdue);
            } else if (!silent && pass.whenAway().isPresent()) {
                answer(pass.whenAway().get().get());
            } else if (!answered) {
                end.close();
            }
            done.complete(null);
        }

        @Override
        public void overdue() {
            if (!answered) {
                pass.whenSilent().ifPresent(heard -> heard.answer().ifPresentOrElse(this::answer, end::close));
            }
        }

        private void answer(ApiMessage own) {
            if (!answered) {
                answered = true;
                end.guard(request.api(), () -> slot.complete(frame(own), Optional.empty()));
            }
        }

        private ByteBuf frame(ApiMessage own) {
            return ResponseFrames.frame(request, own, end.channel().alloc());
        }

        private ByteBuffer body(ByteBuf frame) {
            ByteBuffer body = frame.nioBuffer(
                    frame.readerIndex() + KafkaFrames.LENGTH_BYTES, frame.readableBytes() - KafkaFrames.LENGTH_BYTES);
            KafkaFrames.skipResponseHeader(body, request.api(), request.version());
            return body;
        }
    }
}
