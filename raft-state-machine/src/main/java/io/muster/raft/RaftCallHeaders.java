package io.muster.raft;

import io.muster.runtime.ClusterSecret;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.Channel;
import org.apache.ratis.thirdparty.io.grpc.ClientCall;
import org.apache.ratis.thirdparty.io.grpc.ClientInterceptor;
import org.apache.ratis.thirdparty.io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import org.apache.ratis.thirdparty.io.grpc.InternalConfigurator;
import org.apache.ratis.thirdparty.io.grpc.InternalConfiguratorRegistry;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Adds to the calls of Ratis's channels who is meant and that the caller knows the secret. Ratis builds its channels by itself and
 * lets nobody near them; its gRPC, which only it uses, takes one configurator for the whole process. So the headers are kept for the
 * process too, by the address that a channel leads to.
 */
final class RaftCallHeaders {
    static final Metadata.Key<String> TOKEN = key("muster-token");
    static final Metadata.Key<String> NODE = key("muster-node");
    static final Metadata.Key<String> INCARNATION = key("muster-incarnation");

    private static final ConcurrentMap<String, RaftCallHeaders> BY_ADDRESS = new ConcurrentHashMap<>();

    static {
        InternalConfiguratorRegistry.setConfigurators(List.of(new InternalConfigurator() {
            @Override
            public void configureChannelBuilder(ManagedChannelBuilder<?> builder) {
                builder.intercept(new Adding());
            }
        }));
    }

    private final @Nullable String token;
    private final String nodeId;
    private final Supplier<String> incarnation;

    private RaftCallHeaders(@Nullable String token, String nodeId, Supplier<String> incarnation) {
        this.token = token;
        this.nodeId = nodeId;
        this.incarnation = incarnation;
    }

    /** Says what calls to these members carry from now on. */
    static void register(List<RaftMember> members, @Nullable ClusterSecret secret, Supplier<String> incarnation) {
        String token = secret == null ? null : secret.token(ClusterSecret.Port.RAFT);
        members.forEach(
                member -> BY_ADDRESS.put(member.address(), new RaftCallHeaders(token, member.id(), incarnation)));
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    private void addTo(Metadata headers) {
        if (token != null) {
            headers.put(TOKEN, token);
        }
        headers.put(NODE, nodeId);
        headers.put(INCARNATION, incarnation.get());
    }

    private static final class Adding implements ClientInterceptor {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            RaftCallHeaders known = BY_ADDRESS.get(String.valueOf(next.authority()));
            ClientCall<Q, A> call = next.newCall(method, options);
            return known == null
                    ? call
                    : new SimpleForwardingClientCall<>(call) {
                        @Override
                        public void start(Listener<A> listener, Metadata headers) {
                            known.addTo(headers);
                            super.start(listener, headers);
                        }
                    };
        }
    }
}
