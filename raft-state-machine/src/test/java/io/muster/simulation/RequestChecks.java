package io.muster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Command;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.core.Response.Refused;
import io.muster.runtime.LogEntry;
import io.muster.runtime.RecordBatch;
import io.muster.runtime.Token;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What must hold of requests, and of entries that the log cannot hold: each request to a node that lives on is answered; those that
 * are too large by themselves, and no others, are refused for that, and nothing of them is stored.
 */
final class RequestChecks {
    /** Longer than a command may wait for topics or the claim, and what a node may stand still. */
    private static final long MOST_UNANSWERED_MILLIS = 60_000;

    /** As many as a few splits of all that can be there at once take. */
    private static final int MOST_REFUSED_AT_ONCE = 200;

    private record Asked(ShardProcess process, Command command, long atMillis, CompletableFuture<Response> answer) {}

    private final VirtualTime time;
    private final Deque<Asked> asked = new ArrayDeque<>();
    private final Set<Token> refused = new HashSet<>();
    private int refusedEntries;
    private int splitEntries;
    private int refusedCommands;
    private long lastRefusalMillis;
    private int refusedAtOnce;

    RequestChecks(VirtualTime time) {
        this.time = time;
    }

    /** Entries that were refused with the change of one group in them. */
    int refusedEntries() {
        return refusedEntries;
    }

    /** Entries that were refused with the changes of several groups in them. */
    int splitEntries() {
        return splitEntries;
    }

    /** Commands that were refused since they were too large by themselves. */
    int refusedCommands() {
        return refusedCommands;
    }

    /** A command reached a process. */
    void asked(ShardProcess process, Command command, CompletableFuture<Response> answer) {
        asked.add(new Asked(process, command, time.now(), answer));
        CompletableFuture<Void> unused = answer.thenAccept(response -> answered(command, response));
    }

    private void answered(Command command, Response response) {
        if (!(response instanceof Refused refusal) || refusal.error() != GroupError.INVALID_REQUEST) {
            return;
        }
        refusedCommands++;
        if (!LargeRequests.isTooLarge(command)) {
            time.fail(new AssertionError("refused though it is not too large: " + command + ": " + refusal));
        }
    }

    /** Those that were asked long ago are answered, or the process that they were asked of has ended. */
    void check() {
        while (!asked.isEmpty() && asked.peek().atMillis() < time.now() - MOST_UNANSWERED_MILLIS) {
            Asked oldest = asked.remove();
            if (oldest.process().isAlive()) {
                assertThat(oldest.answer().isDone())
                        .as("%s, asked at %d, is answered", oldest.command(), oldest.atMillis())
                        .isTrue();
            }
        }
    }

    /** The log refused an entry. */
    void refused(LogEntry entry) {
        refused.add(entry.token());
        refusedEntries += entry.batches().size() == 1 ? 1 : 0;
        splitEntries += entry.batches().size() > 1 ? 1 : 0;
        refusedAtOnce = lastRefusalMillis == time.now() ? refusedAtOnce + 1 : 1;
        lastRefusalMillis = time.now();
        if (refusedAtOnce > MOST_REFUSED_AT_ONCE) {
            time.fail(new AssertionError("entries are refused without end, the last one for " + groupsOf(entry)));
        }
    }

    private static List<String> groupsOf(LogEntry entry) {
        List<String> groupIds = new ArrayList<>();
        entry.batches().forEach(batch -> groupIds.add(batch.groupId()));
        return groupIds;
    }

    /** An entry was applied for the first time. */
    void applied(LogEntry entry) {
        assertThat(refused)
                .as("entries that the log refused, one of which is applied")
                .doesNotContain(entry.token());
        for (RecordBatch batch : entry.batches()) {
            assertThat(batch.records().toString())
                    .as("records of group %s, nothing of which was too large", batch.groupId())
                    .doesNotContain(LargeRequests.MARK);
        }
    }
}
