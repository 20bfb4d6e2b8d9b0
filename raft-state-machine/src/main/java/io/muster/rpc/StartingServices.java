package io.muster.rpc;

import io.grpc.BindableService;
import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.util.MutableHandlerRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Services that come while the server listens already: until all are there, callers of what is missing are told to try again. */
final class StartingServices extends HandlerRegistry {
    private static final String STARTING = "the node is starting";

    private final MutableHandlerRegistry added = new MutableHandlerRegistry();
    private volatile boolean complete;

    void add(BindableService service) {
        added.addService(service);
    }

    /** All services are there. */
    void complete() {
        complete = true;
    }

    @Override
    public @Nullable ServerMethodDefinition<?, ?> lookupMethod(String methodName, @Nullable String authority) {
        ServerMethodDefinition<?, ?> method = added.lookupMethod(methodName, authority);
        return method != null || complete ? method : later(methodName);
    }

    private static ServerMethodDefinition<byte[], byte[]> later(String methodName) {
        MethodDescriptor<byte[], byte[]> descriptor = MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodType.UNKNOWN)
                .setFullMethodName(methodName)
                .setRequestMarshaller(new UnreadMessages())
                .setResponseMarshaller(new UnreadMessages())
                .build();
        return ServerMethodDefinition.create(descriptor, (call, headers) -> {
            call.close(Status.UNAVAILABLE.withDescription(STARTING), new Metadata());
            return new ServerCall.Listener<>() {};
        });
    }

    private static final class UnreadMessages implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
