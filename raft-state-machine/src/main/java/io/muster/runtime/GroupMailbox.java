package io.muster.runtime;

import io.muster.core.Claim;
import io.muster.core.Decision;
import io.muster.core.Group;
import io.muster.core.LeaderMemory;
import io.muster.core.LeaderMemory.CommitConnections;
import io.muster.core.TimerKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One group on its leader: what is known of it, and the commands that wait for a decision. While a proposal is in flight nothing
 * is decided. Confined to the shard's thread.
 */
final class GroupMailbox {
    private final String groupId;
    private final ArrivalQueue arrived = new ArrivalQueue();
    private final List<PendingCommand> waiting = new ArrayList<>();

    private SortedSet<String> topicsNeeded = Collections.emptySortedSet();
    private @Nullable Group group;
    private Token token = Token.NONE;
    private LeaderMemory memory = LeaderMemory.UNKNOWN;
    /** Whether the last decision was a part's, without what waited then. */
    private boolean waitingLeftOut;

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
        arrived.add(command);
    }

    /** Puts commands back in front of all others, to be decided again. */
    void putBack(List<PendingCommand> commands) {
        arrived.putBack(commands);
    }

    /**
     * Puts commands back that are too large together, to be decided in parts. What waits is left out until all of them are decided:
     * a part that waits would otherwise be joined with the rest, and be too large again, without end.
     */
    void split(List<PendingCommand> tooLarge) {
        arrived.split(tooLarge);
    }

    /** Has a timer that fired and was armed anew, or cancelled, not be decided on. */
    void withdraw(TimerKey timer) {
        arrived.withdraw(timer);
    }

    /** Whether a decision is due even if nothing else comes: on commands that none has seen, or on those that the last one left out. */
    boolean hasMore() {
        return !arrived.isEmpty() || waitingLeftOut;
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** Takes all commands, the longest waiting first. */
    List<PendingCommand> takeAll() {
        waitingLeftOut = false;
        List<PendingCommand> taken = takeWaiting();
        taken.addAll(arrived.takeAll());
        return taken;
    }

    /** As {@link #takeAll}, but only a part if commands that were too large together are to be decided first. */
    List<PendingCommand> take() {
        if (!arrived.isSplit()) {
            return takeAll();
        }
        waitingLeftOut = hasWaiting();
        return arrived.takePart();
    }

    /** Takes the commands that earlier decisions left to wait. */
    List<PendingCommand> takeWaiting() {
        List<PendingCommand> taken = new ArrayList<>(waiting);
        waiting.clear();
        topicsNeeded = Collections.emptySortedSet();
        return taken;
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
                && waiting.isEmpty()
                && group != null
                && !group.exists()
                && group.claim() instanceof Claim.None
                && memory.claim().operation().isEmpty();
    }
}
