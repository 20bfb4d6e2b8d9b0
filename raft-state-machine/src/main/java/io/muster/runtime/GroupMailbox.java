package io.muster.runtime;

import io.muster.core.Claim;
import io.muster.core.Decision;
import io.muster.core.Group;
import io.muster.core.InternalCommand.TimerFired;
import io.muster.core.LeaderMemory;
import io.muster.core.LeaderMemory.CommitConnections;
import io.muster.core.Response;
import io.muster.core.TimerKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One group on its leader: what is known of it, and the commands that wait for a decision. While a proposal is in flight nothing
 * is decided. Confined to the shard's thread.
 */
final class GroupMailbox {
    private final String groupId;
    private final Deque<PendingCommand> arrived = new ArrayDeque<>();
    private final List<PendingCommand> waiting = new ArrayList<>();
    /** Timers that fired, by their keys: they are decided behind, or together with, all that has arrived. */
    private final Map<TimerKey, PendingCommand> fired = new LinkedHashMap<>();

    private SortedSet<String> topicsNeeded = Collections.emptySortedSet();
    private @Nullable Group group;
    private Token token = Token.NONE;
    private LeaderMemory memory = LeaderMemory.UNKNOWN;
    private int mostTaken = Integer.MAX_VALUE;
    /** Whether commands that were too large together are being decided in parts. */
    private boolean splitting;

    private boolean inFlight;
    private boolean doubted;
    private boolean forgotten;
    private int failures;
    private boolean toBeVisited;

    GroupMailbox(String groupId) {
        this.groupId = groupId;
    }

    String groupId() {
        return groupId;
    }

    boolean isLoaded() {
        return group != null;
    }

    /**
     * The group as its log has it.
     *
     * @param leadsSinceMillis when this leadership began, by the leader's monotonic clock
     * @param nowMillis the same clock now: what was remembered since it was forgotten is lost
     */
    void load(Group loaded, Token loadedToken, long leadsSinceMillis, long nowMillis) {
        group = loaded;
        token = loadedToken;
        memory = LeaderMemory.UNKNOWN.withConnections(
                CommitConnections.completeSince(forgotten ? nowMillis : leadsSinceMillis));
    }

    /** Forgets what is known of the group; it is loaded again before the next decision. */
    void forget() {
        group = null;
        token = Token.NONE;
        memory = LeaderMemory.UNKNOWN;
        doubted = false;
        forgotten = true;
    }

    Group group() {
        if (group == null) {
            throw new IllegalStateException("group " + groupId + " is not loaded");
        }
        return group;
    }

    Token token() {
        return token;
    }

    LeaderMemory memory() {
        return memory;
    }

    void remember(LeaderMemory next) {
        memory = next;
    }

    /** The decision's records are applied. */
    void applied(Decision decision, Token next) {
        group = decision.after();
        token = next;
        memory = decision.memory();
    }

    boolean isInFlight() {
        return inFlight;
    }

    void setInFlight(boolean next) {
        inFlight = next;
    }

    /** A decision could be made. */
    void decided() {
        failures = 0;
    }

    /** No decision could be made; returns whether a visit has to be arranged, which none is yet. */
    boolean failed() {
        failures++;
        boolean arrange = !toBeVisited;
        toBeVisited = true;
        return arrange;
    }

    /** Decisions in a row that could not be made. */
    int failures() {
        return failures;
    }

    /** A visit that was arranged takes place. */
    void visited() {
        toBeVisited = false;
    }

    /** What an earlier decision asked for was not done, though the memory says so. */
    void doubt() {
        doubted = true;
    }

    boolean isDoubted() {
        return doubted;
    }

    void add(PendingCommand command) {
        if (command.command() instanceof TimerFired timer) {
            fired.put(timer.timer(), command);
        } else {
            arrived.add(command);
        }
    }

    /** Puts commands back in front of all others, to be decided again. */
    void putBack(List<PendingCommand> commands) {
        for (int i = commands.size() - 1; i >= 0; i--) {
            if (!(commands.get(i).command() instanceof TimerFired)) {
                arrived.addFirst(commands.get(i));
            }
        }
        commands.stream()
                .filter(command -> command.command() instanceof TimerFired)
                .forEach(this::add);
    }

    /** A timer that was armed anew, or cancelled, has not fired: what is decided on it later would be decided on the old one. */
    void withdraw(TimerKey timer) {
        PendingCommand withdrawn = fired.remove(timer);
        if (withdrawn != null) {
            withdrawn.answer(new Response.Done());
        }
    }

    /**
     * Bounds how many of the arrived commands the next decision takes, 1 or more. What waits is left out until the rest is decided, too:
     * a part that waits would otherwise be joined with the rest, and be too large again, without end.
     */
    void takeAtMost(int commands) {
        mostTaken = commands;
        splitting = true;
    }

    /** Whether there are commands that no decision has seen. */
    boolean hasArrivals() {
        return !arrived.isEmpty() || !fired.isEmpty();
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** Takes all commands, the longest waiting first. */
    List<PendingCommand> takeAll() {
        mostTaken = Integer.MAX_VALUE;
        splitting = false;
        return take();
    }

    /**
     * As {@link #takeAll}, but no more of the arrived ones than {@link #takeAtMost} allows this once. A timer that fired comes after
     * all arrivals: the heartbeat that it has to yield to may be among them.
     */
    List<PendingCommand> take() {
        List<PendingCommand> taken = splitting ? new ArrayList<>() : takeWaiting();
        splitting = splitting && mostTaken < Integer.MAX_VALUE;
        taken.addAll(first(arrived));
        if (arrived.isEmpty()) {
            taken.addAll(first(fired.values()));
        }
        mostTaken = Integer.MAX_VALUE;
        splitting = splitting && hasArrivals();
        return taken;
    }

    /** Takes the commands that earlier decisions left to wait. */
    List<PendingCommand> takeWaiting() {
        List<PendingCommand> taken = new ArrayList<>(waiting);
        waiting.clear();
        topicsNeeded = Collections.emptySortedSet();
        return taken;
    }

    /** Takes out the first ones, as many as may still be taken. */
    private List<PendingCommand> first(Collection<PendingCommand> commands) {
        List<PendingCommand> first = new ArrayList<>();
        Iterator<PendingCommand> next = commands.iterator();
        while (first.size() < mostTaken && next.hasNext()) {
            first.add(next.next());
            next.remove();
        }
        mostTaken -= first.size();
        return first;
    }

    void leaveWaiting(List<PendingCommand> commands, SortedSet<String> topics) {
        waiting.addAll(commands);
        SortedSet<String> needed = new TreeSet<>(topicsNeeded);
        needed.addAll(topics);
        topicsNeeded = needed;
    }

    /** When the first of the waiting commands loses its patience, monotonic milliseconds. */
    long firstPatienceEnd() {
        return waiting.stream()
                .mapToLong(PendingCommand::patienceEndsMillis)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** The topics that the group and its waiting commands need to know about. */
    SortedSet<String> interest() {
        SortedSet<String> interest = new TreeSet<>(topicsNeeded);
        if (group != null) {
            interest.addAll(group.typed().topicsOfInterest());
        }
        return interest;
    }

    /** Whether the mailbox can be dropped: nothing is pending, here or upstream, and the group does not exist. */
    boolean isIdleAndAbsent() {
        return !inFlight
                && arrived.isEmpty()
                && fired.isEmpty()
                && waiting.isEmpty()
                && group != null
                && !group.exists()
                && group.claim() instanceof Claim.None
                && memory.claim().operation().isEmpty();
    }
}
