package io.muster.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.permissions.PermissionRefresh;
import io.muster.gateway.kafka.permissions.Permissions;
import io.muster.gateway.upstream.ClientUpstreamConnection;
import io.muster.gateway.upstream.HostNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AuthenticationTest {
    private final EventLoop loop = new DefaultEventLoop();
    private final HostNames names = new HostNames();
    private final Permissions permissions =
            new Permissions(new AllowingBroker(), new PermissionRefresh(Duration.ofMinutes(1), () -> 0L, () -> 0));
    private final ClientUpstreamConnection upstream = new ClientUpstreamConnection(
            new ClientUpstreamConnection.Wiring(
                    loop,
                    NioSocketChannel.class,
                    names,
                    () -> new KafkaFrameDecoder(FrameLimits.of(0, 1), new ReplyMemory(1, () -> 0L).of(loop))),
            Optional::empty,
            new Unheeding());

    @AfterEach
    void stop() {
        names.close();
        var unused = loop.shutdownGracefully();
    }

    @Test
    void request_ofAClientThatDidNotSayWhoItIs_endsTheConnection() {
        // Given
        Authentication asked = new Authentication(true, upstream, permissions);

        // Then
        assertThatCode(() -> asked.arrived(ApiKeys.API_VERSIONS)).doesNotThrowAnyException();
        assertThatCode(() -> asked.arrived(ApiKeys.SASL_HANDSHAKE)).doesNotThrowAnyException();
        assertThatThrownBy(() -> asked.arrived(ApiKeys.CONSUMER_GROUP_HEARTBEAT))
                .isInstanceOf(MalformedRequestException.class);
        asked.answered(new SaslAuthenticateResponseData().setErrorCode((short) 58));
        assertThatThrownBy(() -> asked.arrived(ApiKeys.CONSUMER_GROUP_HEARTBEAT))
                .isInstanceOf(MalformedRequestException.class);
        asked.answered(new SaslAuthenticateResponseData());
        assertThatCode(() -> asked.arrived(ApiKeys.CONSUMER_GROUP_HEARTBEAT)).doesNotThrowAnyException();
    }

    @Test
    void bareTokens_areTokens_untilARequestComes() throws MalformedRequestException {
        // Given
        Authentication asked = new Authentication(true, upstream, permissions);
        assertThat(asked.takes(token("\0A\0B"))).isFalse();

        // When
        asked.passes(handshake(0));

        // Then
        assertThat(asked.takes(token("\0\u0012\0\0abcdefgh"))).isTrue();
        assertThat(asked.takes(token("c=biws,r=fyko"))).isTrue();
        assertThat(asked.takes(token(""))).isTrue();
        assertThat(asked.takes(frame(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, new ConsumerGroupHeartbeatRequestData())))
                .isFalse();
        asked.arrived(ApiKeys.CONSUMER_GROUP_HEARTBEAT);
        assertThat(asked.takes(token("c=biws,r=fyko"))).isFalse();
    }

    @Test
    void requests_afterAHandshakeWithRequests_areNoTokens() throws MalformedRequestException {
        // Given
        Authentication asked = new Authentication(true, upstream, permissions);

        // When
        asked.passes(handshake(1));

        // Then
        assertThat(asked.takes(frame(ApiKeys.SASL_AUTHENTICATE, 2, new SaslAuthenticateRequestData())))
                .isFalse();
    }

    @Test
    void whatTheClientMayDo_isForgotten_whenItSaysAnewWhoItIs() throws MalformedRequestException {
        // Given
        Authentication asked = new Authentication(true, upstream, permissions);
        assertThat(permissions.mayRead("g")).isCompletedWithValue(true);
        assertThat(permissions.couldRead("g")).isTrue();

        // When
        asked.passes(handshake(1));

        // Then
        assertThat(permissions.couldRead("g")).isFalse();
    }

    @Test
    void ownRequests_duringTheExchange_waitForItsEnd() throws MalformedRequestException {
        // Given
        Authentication again = new Authentication(false, upstream, permissions);
        Outcome own = new Outcome();
        Outcome later = new Outcome();

        // When
        again.passes(handshake(1));
        upstream.send(frame(ApiKeys.METADATA, 12, ApiKeys.METADATA.messageType.newRequest()), Optional.of(own));
        assertThat(own.lost).isFalse();
        again.answered(new SaslAuthenticateResponseData());
        assertThat(own.lost).isFalse();
        again.answered(new SaslAuthenticateResponseData().setSessionLifetimeMs(1_000));

        // Then
        assertThat(own.lost).isTrue();
        upstream.send(frame(ApiKeys.METADATA, 12, ApiKeys.METADATA.messageType.newRequest()), Optional.of(later));
        assertThat(later.lost).isTrue();
    }

    private static KafkaRequest handshake(int version) throws MalformedRequestException {
        ByteBuffer frame = KafkaFrames.request(
                ApiKeys.SASL_HANDSHAKE,
                (short) version,
                "client",
                1,
                new SaslHandshakeRequestData().setMechanism("PLAIN"));
        return KafkaRequest.parse(frame.position(KafkaFrames.LENGTH_BYTES));
    }

    private static ByteBuf token(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Unpooled.buffer().writeInt(bytes.length).writeBytes(bytes);
    }

    private static ByteBuf frame(ApiKeys api, int version, ApiMessage body) {
        return Unpooled.wrappedBuffer(KafkaFrames.request(api, (short) version, "client", 1, body));
    }

    /** Nowhere is a broker, so that what is sent is lost at once. */
    private static final class Outcome implements ClientUpstreamConnection.Reply {
        private boolean lost;

        @Override
        public void received(ByteBuf frame) {
            frame.release();
        }

        @Override
        public void lost(IOException reason) {
            lost = true;
        }
    }

    private static final class Unheeding implements ClientUpstreamConnection.Listener {
        @Override
        public void writable(boolean writable) {}

        @Override
        public void ended() {}

        @Override
        public void closed() {}
    }

    private static final class AllowingBroker implements ClientUpstream {
        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request) {
            return CompletableFuture.completedFuture(new HeartbeatResponseData());
        }

        @Override
        public short maxVersion(ApiKeys api) {
            return api.latestVersion();
        }
    }
}
