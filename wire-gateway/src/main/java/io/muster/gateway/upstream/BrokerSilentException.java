package io.muster.gateway.upstream;

import java.io.IOException;

/** The broker takes connections and requests, or does not even refuse them, and says nothing: it may act on them later. */
public final class BrokerSilentException extends IOException {
    private static final long serialVersionUID = 1L;

    public BrokerSilentException(String message) {
        super(message);
    }
}
