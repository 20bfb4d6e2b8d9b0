package io.muster.core.claim;

import io.muster.core.ClaimIdentity;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.GroupDraft;
import io.muster.core.LeaderMemory.Admission;
import io.muster.core.LeaderMemory.CommitLedger;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** Counts the commits that were admitted and not heard back. */
final class Ledger {
    private Ledger() {}

    static void count(GroupDraft draft, CommitCommand.Admit commit, ClaimIdentity identity) {
        CommitLedger ledger = draft.memory().commits();
        SortedMap<String, Admission> inFlight = new TreeMap<>(ledger.inFlight());
        inFlight.put(
                commit.admissionId(),
                new Admission(
                        commit.memberId(),
                        commit.connection().id(),
                        identity,
                        draft.context().nowMillis(),
                        commit.partitions()));
        remember(draft, new CommitLedger(ledger.known(), inFlight));
    }

    /** Returns whether the admission was counted until now. */
    static boolean uncount(GroupDraft draft, String admissionId) {
        CommitLedger ledger = draft.memory().commits();
        SortedMap<String, Admission> inFlight = new TreeMap<>(ledger.inFlight());
        if (inFlight.remove(admissionId) == null) {
            return false;
        }
        remember(draft, new CommitLedger(ledger.known(), inFlight));
        return true;
    }

    /** Upstream takes no identity but the newest: whatever was admitted before it cannot be stored any more. */
    static void startOver(GroupDraft draft) {
        remember(draft, new CommitLedger(true, new TreeMap<>()));
    }

    static boolean isEmpty(GroupDraft draft) {
        return draft.memory().commits().inFlight().isEmpty();
    }

    static boolean hasCommitOfAnother(GroupDraft draft, TopicPartition partition, String memberId) {
        return draft.memory().commits().inFlight().values().stream()
                .anyMatch(admission -> !admission.memberId().equals(memberId)
                        && admission.partitions().contains(partition));
    }

    /** When the last of the commits was admitted that this one could overtake or be overtaken by; empty if there is none. */
    static OptionalLong contestedAt(GroupDraft draft, CommitCommand.Admit commit) {
        return draft.memory().commits().inFlight().values().stream()
                .filter(admission -> admission.memberId().equals(commit.memberId())
                        && !admission.connectionId().equals(commit.connection().id())
                        && !Collections.disjoint(admission.partitions(), commit.partitions()))
                .mapToLong(Admission::admittedAtMillis)
                .max();
    }

    static OptionalLong oldestAt(GroupDraft draft) {
        return admittedAt(draft).min();
    }

    static OptionalLong newestAt(GroupDraft draft) {
        return admittedAt(draft).max();
    }

    private static LongStream admittedAt(GroupDraft draft) {
        return draft.memory().commits().inFlight().values().stream().mapToLong(Admission::admittedAtMillis);
    }

    private static void remember(GroupDraft draft, CommitLedger next) {
        draft.remember(draft.memory().withCommits(next));
    }
}
