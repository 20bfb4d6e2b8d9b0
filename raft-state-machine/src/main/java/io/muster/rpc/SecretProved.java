package io.muster.rpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.muster.runtime.ClusterSecret;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Proves the cluster's secret to a node on each call, and believes nothing of a node that does not prove it in its turn. */
public final class SecretProved implements ClientInterceptor {
    private static final String IMPOSTOR = "the node does not prove that it knows the cluster's secret";

    private final @Nullable ClusterSecret secret;

    /** @param secret null if the cluster has none */
    public SecretProved(@Nullable ClusterSecret secret) {
        this.secret = secret;
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        ClientCall<Q, A> call = next.newCall(method, options);
        return secret == null ? call : new Proving<>(call, secret);
    }

    private static final class Proving<Q, A> extends SimpleForwardingClientCall<Q, A> {
        private final ClusterSecret secret;

        Proving(ClientCall<Q, A> call, ClusterSecret secret) {
            super(call);
            this.secret = secret;
        }

        @Override
        public void start(Listener<A> listener, Metadata headers) {
            String nonce = UUID.randomUUID().toString();
            headers.put(RpcHeaders.TOKEN, secret.token(ClusterSecret.Port.RPC));
            headers.put(RpcHeaders.NONCE, nonce);
            super.start(new Checking(listener, nonce), headers);
        }

        /** Passes nothing on before the node has answered the nonce. */
        private final class Checking extends SimpleForwardingClientCallListener<A> {
            private final String nonce;
            private boolean impostor;

            Checking(Listener<A> listener, String nonce) {
                super(listener);
                this.nonce = nonce;
            }

            @Override
            public void onHeaders(Metadata headers) {
                if (secret.acceptsAnswer(nonce, headers.get(RpcHeaders.ANSWER))) {
                    super.onHeaders(headers);
                } else {
                    impostor = true;
                    cancel(IMPOSTOR, null);
                }
            }

            @Override
            public void onMessage(A message) {
                if (!impostor) {
                    super.onMessage(message);
                }
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
                super.onClose(impostor ? Status.UNAUTHENTICATED.withDescription(IMPOSTOR) : status, trailers);
            }
        }
    }
}
