package io.muster.gateway.kafka;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.ApiMessage;

/** What becomes of a request. */
public sealed interface Route {
    /**
     * It goes to the upstream broker as it is.
     *
     * @param answered whether there is a response at all (none for a Produce with acks=0)
     * @param rewrite what becomes of the response, if anything
     * @param whenAway the answer when upstream cannot be reached; without one the client's connection is closed
     * @param whenSilent what the client hears when upstream says nothing; without it the client's connection is closed, once it waited
     *     long enough
     */
    record Pass(
            boolean answered,
            Optional<ResponseRewrite> rewrite,
            Optional<Supplier<ApiMessage>> whenAway,
            Optional<WhenSilent> whenSilent)
            implements Route {
        public static final Pass UNREAD = new Pass(true, Optional.empty(), Optional.empty(), Optional.empty());
        public static final Pass UNANSWERED = new Pass(false, Optional.empty(), Optional.empty(), Optional.empty());

        public static Pass rewritten(ResponseRewrite rewrite) {
            return new Pass(true, Optional.of(rewrite), Optional.empty(), Optional.empty());
        }

        /** With an answer for when upstream cannot be reached or says nothing. */
        public Pass orWhenAway(Supplier<ApiMessage> answer) {
            return new Pass(answered, rewrite, Optional.of(answer), Optional.of(() -> Optional.of(answer.get())));
        }

        /** With what the client hears when upstream takes the request and says nothing. */
        public Pass orWhenSilent(WhenSilent heard) {
            return new Pass(answered, rewrite, whenAway, Optional.of(heard));
        }
    }

    /**
     * It is answered with this message; if that fails, the client's connection is closed.
     *
     * @param late what is answered instead once the message had to wait too long for the replies before it
     */
    record Answer(CompletableFuture<ApiMessage> message, Optional<Supplier<ApiMessage>> late) implements Route {
        public static Answer of(ApiMessage message) {
            return new Answer(CompletableFuture.completedFuture(message), Optional.empty());
        }

        public static Answer of(CompletableFuture<ApiMessage> message) {
            return new Answer(message, Optional.empty());
        }
    }

    /** What a client hears that waits for a silent broker. */
    interface WhenSilent {
        /** The answer; empty if the client's connection is to be closed, so that it asks another broker. */
        Optional<ApiMessage> answer();
    }

    /** Changes a response on its way to the client. */
    interface ResponseRewrite {
        /**
         * The response to send instead, or empty to send it as it is.
         *
         * @param body the response without its header
         */
        Optional<ApiMessage> rewrite(ByteBuffer body);
    }
}
