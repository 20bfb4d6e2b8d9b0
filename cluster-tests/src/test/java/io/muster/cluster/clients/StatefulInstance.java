package io.muster.cluster.clients;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An instance of an application with state, wherever it runs. */
interface StatefulInstance extends AutoCloseable {
    /** The partitions that it processes. */
    Set<Integer> active();

    boolean isRunning();

    /** The most records that an active task was behind when it came here, over all tasks. */
    long mostRestored();

    /** What ended it; null while it is well. */
    @Nullable
    Throwable failure();

    /** Stops without a word to the group, as for a restart. */
    void stopSilently();

    /** Ends it for good. */
    @Override
    void close();
}
