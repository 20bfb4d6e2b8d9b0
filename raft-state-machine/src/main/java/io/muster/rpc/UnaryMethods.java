package io.muster.rpc;

import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A gRPC service as a table: each method with the function that answers it. */
final class UnaryMethods {
    private final ServerServiceDefinition.Builder service;

    UnaryMethods(ServiceDescriptor descriptor) {
        this.service = ServerServiceDefinition.builder(descriptor);
    }

    /** @param answer must not block; a failure becomes the status that {@link AdminErrors} gives it */
    <Q, A> UnaryMethods add(MethodDescriptor<Q, A> method, Function<Q, CompletableFuture<A>> answer) {
        service.addMethod(method, ServerCalls.asyncUnaryCall((request, out) -> send(answer.apply(request), out)));
        return this;
    }

    /** @throws IllegalStateException if the descriptor names a method that was not added */
    ServerServiceDefinition build() {
        return service.build();
    }

    private static <A> void send(CompletableFuture<A> answer, StreamObserver<A> out) {
        var unused = answer.whenComplete((value, failure) -> {
            if (failure == null) {
                out.onNext(value);
                out.onCompleted();
            } else {
                out.onError(AdminErrors.statusOf(unwrap(failure)).asRuntimeException());
            }
        });
    }

    private static @Nullable Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }
}
