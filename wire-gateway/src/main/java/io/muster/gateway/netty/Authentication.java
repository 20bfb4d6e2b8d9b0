package io.muster.gateway.netty;

import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.permissions.Permissions;
import io.muster.gateway.upstream.ClientUpstreamConnection;
import io.netty.buffer.ByteBuf;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Where a client stands in saying who it is to its broker (SASL). The broker decides; here it is known what may come meanwhile. Used
 * on the client's event loop only.
 *
 * <p>From a SaslHandshake on nothing of Muster's own goes upstream, since the broker would take it for a part of the exchange. That
 * holds for re-authentication too (KIP-368), after which permissions are asked anew. The exchange is over when the broker says how
 * long the session lasts, or when the client sends a request of another kind.
 */
final class Authentication {
    private static final byte FIRST_OF_A_REQUEST = 0;

    private final ClientUpstreamConnection upstream;
    private final Permissions permissions;
    private Exchange exchange = Exchange.NONE;
    private boolean named;

    private enum Exchange {
        NONE,
        /** SaslAuthenticate requests follow the handshake. */
        REQUESTS,
        /** Bare tokens follow the handshake (version 0); none has come yet. */
        FIRST_TOKEN,
        /** Bare tokens, until a frame is a request: no mechanism says how many there are. */
        TOKENS
    }

    /** @param asked whether the broker asks who its clients are */
    Authentication(boolean asked, ClientUpstreamConnection upstream, Permissions permissions) {
        this.named = !asked;
        this.upstream = upstream;
        this.permissions = permissions;
    }

    /** Whether a frame that arrives is a token, and no request. */
    boolean takes(ByteBuf frame) {
        if (exchange == Exchange.FIRST_TOKEN) {
            exchange = Exchange.TOKENS;
            return true;
        }
        return exchange == Exchange.TOKENS && !isRequest(frame);
    }

    /**
     * A request arrives.
     *
     * @throws MalformedRequestException if the client has to say who it is before
     */
    void arrived(ApiKeys api) throws MalformedRequestException {
        if (api == ApiKeys.SASL_HANDSHAKE || api == ApiKeys.SASL_AUTHENTICATE) {
            return;
        }
        if (exchange != Exchange.NONE) {
            // The broker ends the connection of a client whose tokens it does not believe.
            named |= exchange == Exchange.TOKENS;
            end();
        }
        if (!named && api != ApiKeys.API_VERSIONS) {
            throw new MalformedRequestException(api.name + " of a client that did not say who it is");
        }
    }

    /** A request goes upstream. */
    void passes(KafkaRequest request) {
        if (request.api() == ApiKeys.SASL_HANDSHAKE) {
            upstream.beginExchange();
            exchange = request.version() == 0 ? Exchange.FIRST_TOKEN : Exchange.REQUESTS;
            permissions.forget();
        } else if (request.api() == ApiKeys.SASL_AUTHENTICATE) {
            permissions.forget();
        }
    }

    /** The broker answered a step of the exchange; only the last answer says how long the session lasts, if any does. */
    void answered(SaslAuthenticateResponseData answer) {
        if (answer.errorCode() == 0) {
            named = true;
            if (answer.sessionLifetimeMs() > 0) {
                end();
            }
        }
    }

    /** Whether a request belongs to the exchange. */
    static boolean concerns(ApiKeys api) {
        return api == ApiKeys.SASL_HANDSHAKE || api == ApiKeys.SASL_AUTHENTICATE;
    }

    private void end() {
        exchange = Exchange.NONE;
        upstream.endExchange();
    }

    /** Tokens after the first begin with a letter or a tag of ASN.1, requests with the first byte of a small number. */
    private static boolean isRequest(ByteBuf frame) {
        int start = frame.readerIndex() + KafkaFrames.LENGTH_BYTES;
        int size = frame.readableBytes() - KafkaFrames.LENGTH_BYTES;
        if (size == 0 || frame.getByte(start) != FIRST_OF_A_REQUEST) {
            return false;
        }
        try {
            KafkaRequest.parse(frame.nioBuffer(start, size));
            return true;
        } catch (MalformedRequestException token) {
            return false;
        }
    }
}
