package io.muster.core.claim;

import io.muster.core.CommitCommand.Admit;
import io.muster.core.CommitCommand.Kind;
import io.muster.core.GroupDraft;
import io.muster.core.LeaderMemory.MemberConnection;
import io.muster.core.PersistentMap;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The newest connection that each member commits by. What still comes by an older one was sent before: a gateway that stood still
 * brings it late. Transactions are told apart by their producers, so that a member may have several connections for them.
 */
final class MemberConnections {
    private static final int FEW = 64;

    private MemberConnections() {}

    /** Whether the member has committed by a connection that was opened later; otherwise this is its newest from now on. */
    static boolean isSuperseded(GroupDraft draft, Admit commit, long arrivedAtMillis) {
        if (commit.kind() != Kind.PLAIN || commit.memberId().isEmpty()) {
            return false;
        }
        PersistentMap<String, MemberConnection> newest = draft.memory().connections();
        // What is on its way for long makes a connection look younger than it is, never older.
        long openedAt = arrivedAtMillis - commit.connectionAgeMillis();
        Optional<MemberConnection> known = newest.find(commit.memberId());
        if (known.isEmpty() || !known.get().connectionId().equals(commit.connectionId())) {
            if (known.isPresent() && openedAt < known.get().openedAtMillis()) {
                return true;
            }
            remember(draft, newest, commit, openedAt);
        } else if (openedAt < known.get().openedAtMillis()) {
            remember(draft, newest, commit, openedAt);
        }
        return false;
    }

    private static void remember(
            GroupDraft draft, PersistentMap<String, MemberConnection> newest, Admit commit, long openedAtMillis) {
        PersistentMap<String, MemberConnection> next =
                newest.with(commit.memberId(), new MemberConnection(commit.connectionId(), openedAtMillis));
        draft.remember(draft.memory().withConnections(next.size() > FEW ? ofMembers(draft, next) : next));
    }

    /** Without those of members that are gone, once these are many. */
    private static PersistentMap<String, MemberConnection> ofMembers(
            GroupDraft draft, PersistentMap<String, MemberConnection> all) {
        SortedSet<String> members = draft.group().typed().memberIds();
        if (all.size() <= 2 * members.size()) {
            return all;
        }
        PersistentMap<String, MemberConnection> left = all;
        for (String memberId : all.keys()) {
            left = members.contains(memberId) ? left : left.without(memberId);
        }
        return left;
    }
}
