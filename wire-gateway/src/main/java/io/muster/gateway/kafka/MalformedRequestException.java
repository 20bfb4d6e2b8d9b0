package io.muster.gateway.kafka;

/** The client sent what Kafka closes the connection for: an unknown API, an unsupported version, a body that cannot be read. */
public final class MalformedRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedRequestException(String message) {
        super(message);
    }

    public MalformedRequestException(String message, Throwable cause) {
        super(message, cause);
    }
}
