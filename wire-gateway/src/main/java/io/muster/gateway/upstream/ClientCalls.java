package io.muster.gateway.upstream;

import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.UpstreamVersions;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/** Muster's requests on a client's own upstream connection, between those of the client. Any thread. */
public final class ClientCalls implements ClientUpstream {
    private final ClientUpstreamConnection connection;
    private final EventLoop loop;
    private final UpstreamVersions versions;
    private final int brokerId;
    private volatile @Nullable String clientId;

    public ClientCalls(ClientUpstreamConnection connection, EventLoop loop, UpstreamVersions versions, int brokerId) {
        this.connection = connection;
        this.loop = loop;
        this.versions = versions;
        this.brokerId = brokerId;
    }

    /** The client id that the client used last. */
    public void clientId(@Nullable String lastUsed) {
        clientId = lastUsed;
    }

    @Override
    public CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request) {
        CompletableFuture<ApiMessage> answer = new CompletableFuture<>();
        ByteBuffer frame;
        try {
            frame = KafkaFrames.request(api, version, clientId, 0, request);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        ClientUpstreamConnection.Reply reply = new Decoded(api, version, answer);
        Runnable send = () -> connection.send(Unpooled.wrappedBuffer(frame), Optional.of(reply));
        if (loop.inEventLoop()) {
            send.run();
        } else {
            loop.execute(send);
        }
        return answer;
    }

    @Override
    public short maxVersion(ApiKeys api) {
        return versions.max(brokerId, api);
    }

    private record Decoded(ApiKeys api, short version, CompletableFuture<ApiMessage> answer)
            implements ClientUpstreamConnection.Reply {
        @Override
        public void received(ByteBuf frame) {
            try {
                ByteBuffer response = frame.nioBuffer(
                        frame.readerIndex() + KafkaFrames.LENGTH_BYTES,
                        frame.readableBytes() - KafkaFrames.LENGTH_BYTES);
                KafkaFrames.skipResponseHeader(response, api, version);
                answer.complete(KafkaFrames.readResponse(response, api, version));
            } catch (RuntimeException e) {
                answer.completeExceptionally(
                        new IOException("upstream's answer to " + api.name + " cannot be read", e));
            } finally {
                frame.release();
            }
        }

        @Override
        public void lost(IOException reason) {
            answer.completeExceptionally(reason);
        }
    }
}
