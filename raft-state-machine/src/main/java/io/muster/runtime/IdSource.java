package io.muster.runtime;

/** Makes ids that nobody else has; from a seed in the simulation. */
@FunctionalInterface
public interface IdSource {
    /** 22 URL-safe characters. */
    String freshId();
}
