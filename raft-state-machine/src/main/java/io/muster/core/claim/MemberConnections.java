package io.muster.core.claim;

import io.muster.core.CommitCommand.Admit;
import io.muster.core.CommitCommand.Kind;
import io.muster.core.CommitConnection;
import io.muster.core.CommonRecord;
import io.muster.core.FeatureLevel;
import io.muster.core.GroupDraft;
import io.muster.core.GroupMembers;
import io.muster.core.LeaderMemory.CommitConnections;
import io.muster.core.LeaderMemory.MemberConnection;
import io.muster.core.PersistentMap;
import java.util.Optional;

/**
 * The newest connection that each member commits by. What still comes by an older one was sent before: a gateway that stood still
 * brings it late. Transactions are told apart by their producers, so that a member may have several connections for them.
 *
 * <p>One leadership compares the ages of connections. The next one knows no ages, but the group keeps in its log by which connection
 * each member committed last, and the logical time of its first commit. Another connection is newer if it was opened since this
 * leadership began, or by a gateway that had heard of that time. Of any other nobody can tell, and it is refused: a client that is
 * alive comes by a new connection, which is newer than all.
 */
final class MemberConnections {
    private static final int FEW = 64;

    private MemberConnections() {}

    /**
     * Whether the member has committed by a connection that was opened later, or may have; otherwise this is its newest from now on.
     */
    static boolean isSuperseded(GroupDraft draft, Admit commit, long arrivedAtMillis) {
        if (!isFollowed(commit)) {
            return false;
        }
        CommitConnections connections = draft.memory().connections();
        // What is on its way for long makes a connection look younger than it is, never older.
        MemberConnection connection = new MemberConnection(
                commit.connection().id(), arrivedAtMillis - commit.connection().ageMillis());
        Optional<MemberConnection> newest = connections.newest().find(commit.memberId());
        boolean superseded = newest.isPresent()
                ? isOlder(connection, newest.get())
                : mayBeOlderThanRecorded(draft, commit, connection);
        if (!superseded
                && !newest.filter(known -> isSameAndNoYounger(connection, known))
                        .isPresent()) {
            remember(draft, commit.memberId(), connection);
        }
        return superseded;
    }

    /** A commit is admitted: the group keeps the connection that it comes by, so that the next leader knows it, too. */
    static void record(GroupDraft draft, Admit commit) {
        boolean known = draft.group()
                .commitConnections()
                .find(commit.memberId())
                .filter(recorded -> recorded.id().equals(commit.connection().id()))
                .isPresent();
        if (isFollowed(commit) && !known && draft.context().featureLevel() >= FeatureLevel.COMMIT_CONNECTIONS) {
            draft.emit(new CommonRecord.CommitConnectionSet(
                    commit.memberId(),
                    new CommitConnection(
                            commit.connection().id(), draft.context().time())));
        }
    }

    private static boolean isFollowed(Admit commit) {
        return commit.kind() == Kind.PLAIN && !commit.memberId().isEmpty();
    }

    private static boolean isOlder(MemberConnection connection, MemberConnection newest) {
        return !connection.connectionId().equals(newest.connectionId())
                && connection.openedAtMillis() < newest.openedAtMillis();
    }

    private static boolean mayBeOlderThanRecorded(GroupDraft draft, Admit commit, MemberConnection connection) {
        Optional<CommitConnection> recorded = draft.group().commitConnections().find(commit.memberId());
        return recorded.isPresent()
                && !recorded.get().id().equals(connection.connectionId())
                && connection.openedAtMillis() < draft.memory().connections().completeSinceMillis()
                && !commit.connection().wasOpenedAfter(recorded.get().recordedAt());
    }

    /** The least age that was heard of a connection may be too young. */
    private static boolean isSameAndNoYounger(MemberConnection connection, MemberConnection known) {
        return connection.connectionId().equals(known.connectionId())
                && connection.openedAtMillis() >= known.openedAtMillis();
    }

    private static void remember(GroupDraft draft, String memberId, MemberConnection connection) {
        CommitConnections connections = draft.memory().connections();
        PersistentMap<String, MemberConnection> next = connections.newest().with(memberId, connection);
        PersistentMap<String, MemberConnection> kept = next.size() > FEW ? ofMembers(draft, next) : next;
        draft.remember(draft.memory().withConnections(connections.withNewest(kept)));
    }

    /** Without those of members that are gone, once these are many. */
    private static PersistentMap<String, MemberConnection> ofMembers(
            GroupDraft draft, PersistentMap<String, MemberConnection> all) {
        GroupMembers<?> members = draft.group().typed().members();
        if (all.size() <= 2 * members.size()) {
            return all;
        }
        PersistentMap<String, MemberConnection> left = all;
        for (String memberId : all.keys()) {
            left = members.find(memberId).isPresent() ? left : left.without(memberId);
        }
        return left;
    }
}
