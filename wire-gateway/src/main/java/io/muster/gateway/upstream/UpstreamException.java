package io.muster.gateway.upstream;

/** The upstream cluster could not be asked, or did not answer in time; whether it did what was asked is unknown. */
final class UpstreamException extends Exception {
    private static final long serialVersionUID = 1L;

    UpstreamException(String message) {
        super(message);
    }

    UpstreamException(String message, Throwable cause) {
        super(message, cause);
    }
}
