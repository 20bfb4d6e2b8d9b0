package io.muster.rpc;

import io.grpc.Metadata;

/** What proves the cluster's secret on a call: the caller's token and nonce, and the listener's answer to the nonce. */
final class RpcHeaders {
    static final Metadata.Key<String> TOKEN = key("muster-token");
    static final Metadata.Key<String> NONCE = key("muster-nonce");
    static final Metadata.Key<String> ANSWER = key("muster-answer");

    private RpcHeaders() {}

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }
}
