package io.muster.raft;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;

/** The methods of the join service, on Ratis's gRPC. The messages are those of {@code join.proto}, as bytes. */
final class JoinCalls {
    static final String SERVICE = "muster.raft.JoinService";

    static final MethodDescriptor<byte[], byte[]> STANDING = method("Standing");
    static final MethodDescriptor<byte[], byte[]> COPY = method("Copy");
    static final MethodDescriptor<byte[], byte[]> READ = method("Read");
    static final MethodDescriptor<byte[], byte[]> END = method("End");
    static final MethodDescriptor<byte[], byte[]> COMPARE = method("Compare");

    private JoinCalls() {}

    private static MethodDescriptor<byte[], byte[]> method(String name) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setRequestMarshaller(new RatisMarshaller())
                .setResponseMarshaller(new RatisMarshaller())
                .build();
    }

    private static final class RatisMarshaller implements MethodDescriptor.Marshaller<byte[]> {
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
