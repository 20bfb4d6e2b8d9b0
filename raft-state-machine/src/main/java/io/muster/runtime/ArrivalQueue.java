package io.muster.runtime;

import io.muster.core.InternalCommand.TimerFired;
import io.muster.core.Response;
import io.muster.core.TimerKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The commands of one group that no decision has seen, and timers that fired, in the order in which they came. A timer so stands
 * behind every heartbeat that it has to yield to, and what comes later does not put it off. Commands that are too large together are
 * taken in parts. Confined to the shard's thread.
 */
final class ArrivalQueue {
    private final Deque<PendingCommand> commands = new ArrayDeque<>();
    /** The timers in the queue that still count, by their keys. */
    private final Map<TimerKey, PendingCommand> fired = new HashMap<>();

    /** How many of the first commands are to be taken in parts, since they were too large together; 0 if none. */
    private int toSplit;

    private int mostInPart;

    boolean isEmpty() {
        return commands.isEmpty();
    }

    void add(PendingCommand command) {
        commands.addLast(command);
        if (command.command() instanceof TimerFired timer) {
            fired.put(timer.timer(), command);
        }
    }

    /** Puts commands back in front of all others, in the order in which they were taken. */
    void putBack(List<PendingCommand> taken) {
        for (int i = taken.size() - 1; i >= 0; i--) {
            commands.addFirst(taken.get(i));
            if (taken.get(i).command() instanceof TimerFired timer) {
                fired.putIfAbsent(timer.timer(), taken.get(i));
            }
        }
        toSplit += isSplit() ? taken.size() : 0;
    }

    /** Puts commands back that are too large together: from now on they are taken in parts, the first one half of them. */
    void split(List<PendingCommand> tooLarge) {
        boolean wasSplit = isSplit();
        putBack(tooLarge);
        toSplit = wasSplit ? toSplit : tooLarge.size();
        mostInPart = Math.max(1, tooLarge.size() / 2);
    }

    /** Whether the first commands are to be taken in parts. */
    boolean isSplit() {
        return toSplit > 0;
    }

    /** A timer that was armed anew, or cancelled, has not fired: what is decided on it later would be decided on the old one. */
    void withdraw(TimerKey timer) {
        PendingCommand withdrawn = fired.remove(timer);
        if (withdrawn != null) {
            withdrawn.answer(new Response.Done());
        }
    }

    /**
     * Takes the next part of commands that were too large together, and nothing that came after them. Each part may be twice as large
     * as the one before, so that a timer is not decided later than about two decisions for each command before it, whatever comes meanwhile.
     */
    List<PendingCommand> takePart() {
        int most = Math.min(mostInPart, toSplit);
        toSplit -= most;
        mostInPart = 2 * most;
        return take(most);
    }

    List<PendingCommand> takeAll() {
        toSplit = 0;
        return take(commands.size());
    }

    private List<PendingCommand> take(int most) {
        List<PendingCommand> taken = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            PendingCommand command = commands.removeFirst();
            if (!(command.command() instanceof TimerFired timer)) {
                taken.add(command);
            } else if (command.equals(fired.get(timer.timer()))) {
                fired.remove(timer.timer());
                taken.add(command);
            }
        }
        return taken;
    }
}
