package io.muster.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import io.muster.codec.proto.Records;
import io.muster.runtime.Token;

/** Translates tokens. */
final class TokenCodec {
    private TokenCodec() {}

    static Records.Token encode(Token token) {
        return Records.Token.newBuilder()
                .setTerm(token.term())
                .setSequence(token.sequence())
                .build();
    }

    static Token decode(Records.Token message) {
        return new Token(message.getTerm(), message.getSequence());
    }

    static Token decode(byte[] bytes) {
        try {
            return decode(Records.Token.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
            throw new UnknownRecordException("not a token: " + e.getMessage(), e);
        }
    }
}
