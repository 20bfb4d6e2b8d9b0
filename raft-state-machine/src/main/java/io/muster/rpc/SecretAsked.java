package io.muster.rpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.muster.runtime.ClusterSecret;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets in only who proves the cluster's secret, tells all others nothing, and proves it in its turn. Health is everybody's. */
final class SecretAsked implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(SecretAsked.class);
    private static final String HEALTH = "grpc.health.v1.Health";

    private final @Nullable ClusterSecret secret;
    private final AtomicBoolean told = new AtomicBoolean();

    /** @param secret null if everybody who reaches the port is let in */
    SecretAsked(@Nullable ClusterSecret secret) {
        this.secret = secret;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        ClusterSecret known = secret;
        if (known == null || HEALTH.equals(call.getMethodDescriptor().getServiceName())) {
            return next.startCall(call, headers);
        }
        if (!known.accepts(ClusterSecret.Port.RPC, headers.get(RpcHeaders.TOKEN))) {
            if (!told.getAndSet(true)) {
                LOG.atWarn()
                        .addKeyValue("method", call.getMethodDescriptor().getFullMethodName())
                        .log("calls without the cluster's secret are refused");
            }
            call.close(Status.UNAUTHENTICATED, new Metadata());
            return new ServerCall.Listener<>() {};
        }
        String nonce = headers.get(RpcHeaders.NONCE);
        return next.startCall(nonce == null ? call : new Answering<>(call, known.answerTo(nonce)), headers);
    }

    private static final class Answering<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private final String answer;

        Answering(ServerCall<Q, A> call, String answer) {
            super(call);
            this.answer = answer;
        }

        @Override
        public void sendHeaders(Metadata headers) {
            headers.put(RpcHeaders.ANSWER, answer);
            super.sendHeaders(headers);
        }
    }
}
