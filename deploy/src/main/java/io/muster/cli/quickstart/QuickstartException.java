package io.muster.cli.quickstart;

import java.util.function.BooleanSupplier;

/** The quickstart cannot go on; the message is for people. */
final class QuickstartException extends Exception {
    private static final long serialVersionUID = 1L;

    QuickstartException(String message) {
        super(message);
    }

    QuickstartException(String message, Throwable cause) {
        super(message, cause);
    }

    static void throwIf(BooleanSupplier stopRequested) throws QuickstartException {
        if (stopRequested.getAsBoolean()) {
            throw new QuickstartException("stopped before everything was ready");
        }
    }
}
