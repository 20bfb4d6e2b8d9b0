package io.muster.cli.server;

import org.jspecify.annotations.Nullable;

/** The process cannot start; the message is one line for the operator. */
final class StartException extends Exception {
    StartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
