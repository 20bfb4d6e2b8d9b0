package io.muster.cli.quickstart;

/** The quickstart cannot go on; the message is for people. */
final class QuickstartException extends Exception {
    private static final long serialVersionUID = 1L;

    QuickstartException(String message) {
        super(message);
    }

    QuickstartException(String message, Throwable cause) {
        super(message, cause);
    }
}
