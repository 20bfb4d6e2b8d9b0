package io.muster.cli.config;

/** The configuration cannot be used; the message is one line for the person who wrote it. */
public final class ConfigException extends Exception {
    public ConfigException(String message) {
        super(message);
    }
}
