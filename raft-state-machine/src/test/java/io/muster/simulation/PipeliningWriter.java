package io.muster.simulation;

import io.muster.core.CommonRecord;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.GroupRecord;
import io.muster.runtime.LogEntry;
import io.muster.runtime.ProposalOutcome;
import io.muster.runtime.ProposalOutcome.Judged;
import io.muster.runtime.RecordBatch;
import io.muster.runtime.Token;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A leader that is bolder than the product's: it proposes again before it heard of its last proposal, puts several batches of a
 * group into one entry, and deletes and creates groups. The guard has to hold for it too.
 */
final class PipeliningWriter {
    private static final String GROUP = "g";

    private final int node;
    private final VirtualTime time;
    private final GuardCluster cluster;
    private final AtomicInteger stamps;
    private long term;
    private long sequence;
    private Token base = Token.NONE;
    private int count;
    private int lastStamp;
    private boolean sure;

    PipeliningWriter(int node, VirtualTime time, GuardCluster cluster, AtomicInteger stamps) {
        this.node = node;
        this.time = time;
        this.cluster = cluster;
        this.stamps = stamps;
        time.after(time.pick(500), this::write);
    }

    private void write() {
        long leading = cluster.termLedBy(node);
        if (leading != 0) {
            if (leading != term || !sure) {
                start(leading);
            }
            proposeNext();
        }
        time.after(leading == 0 ? 1 + time.pick(300) : 1 + time.pick(60), this::write);
    }

    /** Begins with what is applied here; what it proposed and did not hear of may come on top. */
    private void start(long leading) {
        sequence = leading == term ? sequence : 0;
        term = leading;
        sure = true;
        GuardNode self = cluster.node(node);
        base = self.tokenOf(GROUP);
        count = self.countOf(GROUP);
        lastStamp = self.stampOf(GROUP);
    }

    private void proposeNext() {
        sequence++;
        Token token = new Token(term, sequence);
        List<Integer> counts = List.of(count, count + 1);
        RecordBatch first = new RecordBatch(GROUP, base, nextRecords());
        base = first.tokenAfter(token);
        RecordBatch second = new RecordBatch(GROUP, base, nextRecords());
        base = second.tokenAfter(token);
        count += 2;
        long proposedIn = term;
        LogEntry entry = new LogEntry(term, sequence, List.of(first, second));
        CompletableFuture<Void> unused =
                cluster.propose(node, entry, counts).thenAccept(outcome -> hear(proposedIn, outcome));
    }

    private List<GroupRecord> nextRecords() {
        if (lastStamp > 0 && time.chance(20)) {
            lastStamp = 0;
            return List.of(new CommonRecord.GroupDeleted());
        }
        int stamp = stamps.incrementAndGet();
        ConsumerGroupRecord.GroupSet set = new ConsumerGroupRecord.GroupSet(1, lastStamp, stamp);
        lastStamp = stamp;
        return List.of(set);
    }

    private void hear(long proposedIn, ProposalOutcome outcome) {
        boolean fine = outcome instanceof Judged judged
                && judged.verdicts().stream().allMatch(verdict -> verdict == ProposalOutcome.Verdict.APPLIED);
        if (proposedIn == term && !fine) {
            sure = false;
        }
    }
}
