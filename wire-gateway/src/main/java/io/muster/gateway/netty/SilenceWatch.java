package io.muster.gateway.netty;

import io.muster.gateway.upstream.BrokerPulse;
import io.muster.gateway.upstream.BrokerSilentException;
import io.muster.gateway.upstream.ClientUpstreamConnection;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Sees to it that no reply of one client waits for ever for a broker that is silent: stopped, or cut off. Used on the client's event
 * loop only.
 *
 * <p>A broker that lets one request wait is not silent: it answers others. Only where it answers nobody are requests answered from
 * memory, if they can be, and after the patience is over the connection to it is given up: what waits for it gets no answer of its.
 * The client's own connection goes on without it, since the client may not be able to say again who it is, until the broker is heard
 * again. Then it ends, and the client comes back on a new one.
 */
final class SilenceWatch {
    private static final long LONGEST_STEP_NANOS = Duration.ofSeconds(1).toNanos();

    private final EventLoop loop;
    private final int brokerId;
    private final BrokerPulse pulse;
    private final long patienceNanos;
    private final long stepNanos;
    private final ClientUpstreamConnection upstream;
    private final Runnable broughtBack;
    private boolean armed;
    private boolean givenUp;
    private boolean closed;

    /**
     * @param patience how long a reply waits for a silent broker
     * @param broughtBack called when a broker that was given up answers again
     */
    SilenceWatch(
            EventLoop loop,
            int brokerId,
            BrokerPulse pulse,
            Duration patience,
            ClientUpstreamConnection upstream,
            Runnable broughtBack) {
        this.loop = loop;
        this.brokerId = brokerId;
        this.pulse = pulse;
        this.patienceNanos = patience.toNanos();
        this.stepNanos = Math.min(LONGEST_STEP_NANOS, patienceNanos / 4);
        this.upstream = upstream;
        this.broughtBack = broughtBack;
    }

    /** Something waits for upstream. */
    void waiting() {
        if (!armed && !closed) {
            armed = true;
            var unused = loop.schedule(this::look, stepNanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Whether the connection to the broker was given up. */
    boolean hasGivenUp() {
        return givenUp;
    }

    /** How long a request waits that is answered from memory. Clients ask again at once. */
    Duration step() {
        return Duration.ofNanos(stepNanos);
    }

    void close() {
        closed = true;
    }

    private void look() {
        armed = false;
        if (closed) {
            return;
        }
        if (givenUp) {
            lookForLife();
            return;
        }
        OptionalLong since = upstream.waitingSince();
        if (since.isPresent()) {
            lookAt(since.getAsLong());
            waiting();
        }
    }

    private void lookAt(long sinceNanos) {
        long now = System.nanoTime();
        long waited = now - sinceNanos;
        if (waited < stepNanos) {
            return;
        }
        pulse.ask(brokerId, Duration.ofNanos(stepNanos));
        if (pulse.silentNanos(brokerId) < 2 * stepNanos) {
            return;
        }
        upstream.overdue(now - stepNanos);
        if (waited >= patienceNanos) {
            givenUp = true;
            upstream.giveUp(new BrokerSilentException("broker " + brokerId + " is silent"));
        }
    }

    private void lookForLife() {
        if (pulse.silentNanos(brokerId) == 0) {
            closed = true;
            broughtBack.run();
        } else {
            pulse.ask(brokerId, Duration.ofNanos(stepNanos));
            waiting();
        }
    }
}
