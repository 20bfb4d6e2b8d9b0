package io.muster.raft;

/** Called when this node must not go on: a record that it does not know, a disk that fails. */
@FunctionalInterface
public interface FatalHandler {
    /** Stops the process, soon and loudly. May be called from any thread and more than once. */
    void fatal(String reason, Throwable cause);
}
