package io.muster.gateway.netty;

import io.muster.gateway.kafka.ErrorResponses;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.upstream.BrokerSilentException;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** The requests of one client that Muster answers by itself. Used on the client's event loop only. */
final class AnsweredRequests {
    private final LoopThread thread;
    private final ConnectionEnd end;
    private final Runnable whenAnswered;
    private int unanswered;
    private long latestDeadlineNanos;

    /** @param whenAnswered runs each time when a request has got its answer, or never will */
    AnsweredRequests(LoopThread thread, ConnectionEnd end, Runnable whenAnswered) {
        this.thread = thread;
        this.end = end;
        this.whenAnswered = whenAnswered;
        this.latestDeadlineNanos = thread.nanoTime();
    }

    /** Whether some have no answer yet. */
    boolean any() {
        return unanswered > 0;
    }

    /** The latest deadline of those that have no answer yet, on the thread's clock; empty if there are none. */
    OptionalLong latestDeadlineNanos() {
        return any() ? OptionalLong.of(latestDeadlineNanos) : OptionalLong.empty();
    }

    /** Completes when the request has taken effect, or never will; the response goes to the slot. */
    CompletableFuture<?> answer(KafkaRequest request, Route.Answer answer, ResponseOrderer.Slot slot) {
        Optional<Supplier<ByteBuf>> late = answer.late().map(body -> () -> frame(request, body.get()));
        unanswered++;
        latestDeadlineNanos = Math.max(latestDeadlineNanos, request.deadlineNanos());
        return answer.message()
                .whenComplete((body, failure) -> thread.execute(() -> {
                    unanswered--;
                    whenAnswered.run();
                    end.guard(request.api(), () -> {
                        if (failure == null) {
                            slot.complete(frame(request, body), late);
                        } else {
                            refuse(request, failure, slot);
                        }
                    });
                }));
    }

    private void refuse(KafkaRequest request, Throwable failure, ResponseOrderer.Slot slot) {
        Optional<ApiMessage> refusal = refusal(request, failure);
        if (refusal.isPresent()) {
            slot.complete(frame(request, refusal.get()), Optional.empty());
        } else {
            end.unanswered(request.api(), failure);
        }
    }

    /** A client that waits for a silent broker gets an error that has it try again. */
    private static Optional<ApiMessage> refusal(KafkaRequest request, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof BrokerSilentException
                ? request.readBody().map(body -> ErrorResponses.of(request, body, Errors.COORDINATOR_NOT_AVAILABLE))
                : Optional.empty();
    }

    private ByteBuf frame(KafkaRequest request, ApiMessage body) {
        return ResponseFrames.frame(request, body, end.channel().alloc());
    }
}
