package io.muster.core.assignor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A member's place in its process while an assignment is made. */
final class Seat {
    /** The least loaded first, of equals the first by member id. */
    static final Comparator<Seat> BY_LOAD =
            Comparator.<Seat>comparingInt(seat -> seat.load).thenComparingInt(seat -> seat.index);

    /** Place in the order of member ids, from 0. */
    final int index;

    final String memberId;
    final TaskAssignor.Member member;
    final Host host;

    /** The tasks and copies that it got so far. */
    int load;

    Seat(int index, String memberId, TaskAssignor.Member member, Host host) {
        this.index = index;
        this.memberId = memberId;
        this.member = member;
        this.host = host;
        host.join(this);
    }

    /** A process: what all its members have together. */
    static final class Host {
        /** A member's load comes first, so that no member gets more than its share; then that of its process. */
        static final Comparator<Host> BY_LOAD = (one, other) -> {
            Seat mine = one.takers().first();
            Seat its = other.takers().first();
            if (mine.load != its.load) {
                return Integer.compare(mine.load, its.load);
            }
            int byShare = Long.compare((long) one.load * other.seats.size(), (long) other.load * one.seats.size());
            return byShare != 0 ? byShare : Integer.compare(mine.index, its.index);
        };

        final List<Seat> seats = new ArrayList<>();
        final SortedMap<String, String> tags;
        int load;
        private boolean hasTakers;
        /** Kept only once it is asked for. */
        private @Nullable TreeSet<Seat> takersByLoad;

        Host(SortedMap<String, String> tags) {
            this.tags = tags;
        }

        private void join(Seat seat) {
            seats.add(seat);
            hasTakers |= seat.member.takesNew();
        }

        /** Whether any of its members takes new tasks. */
        boolean hasTakers() {
            return hasTakers;
        }

        /** Its members that take new tasks, the least loaded first. */
        SortedSet<Seat> takers() {
            TreeSet<Seat> ordered = takersByLoad;
            if (ordered == null) {
                ordered = new TreeSet<>(Seat.BY_LOAD);
                for (Seat seat : seats) {
                    if (seat.member.takesNew()) {
                        ordered.add(seat);
                    }
                }
                takersByLoad = ordered;
            }
            return ordered;
        }

        /** Changes the load of one of its members. */
        void shift(Seat seat, int by) {
            TreeSet<Seat> ordered = seat.member.takesNew() ? takersByLoad : null;
            if (ordered != null) {
                ordered.remove(seat);
            }
            seat.load += by;
            load += by;
            if (ordered != null) {
                ordered.add(seat);
            }
        }

        void forgetOrder() {
            takersByLoad = null;
        }
    }
}
