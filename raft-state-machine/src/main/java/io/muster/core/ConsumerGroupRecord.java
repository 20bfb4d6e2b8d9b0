package io.muster.core;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Facts about a consumer group. */
public sealed interface ConsumerGroupRecord extends GroupRecord {
    /** Does something for each kind; a new kind does not compile until everybody does. */
    interface Handler<T> {
        T on(GroupSet record);

        T on(MemberSet record);

        T on(MemberRemoved record);

        T on(PatternResolved record);

        T on(PatternForgotten record);

        T on(TargetSet record);

        T on(CurrentSet record);
    }

    /** Hands the record to the method of its kind. */
    <T> T accept(Handler<T> handler);

    @Override
    default <T> T accept(GroupRecord.Handler<T> handler) {
        return handler.on(this);
    }

    /** The group exists and has this epoch and target assignment epoch. */
    record GroupSet(int groupEpoch, int assignmentEpoch, long assignedAtMillis) implements ConsumerGroupRecord {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** What a member told about itself. */
    record MemberSet(
            Details details,
            List<String> subscribedTopicNames,
            String subscribedTopicRegex,
            @Nullable String serverAssignor)
            implements ConsumerGroupRecord, MemberProfile {
        public MemberSet {
            subscribedTopicNames = List.copyOf(subscribedTopicNames);
        }

        /** The same profile with other details. */
        public MemberSet withDetails(Details next) {
            return new MemberSet(next, subscribedTopicNames, subscribedTopicRegex, serverAssignor);
        }

        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** The member is gone, with its target and current assignment. */
    record MemberRemoved(String memberId) implements ConsumerGroupRecord, GroupRecord.OfRemoval {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** The topics that a pattern matches, as far as the member that it was resolved for may describe them. */
    record PatternResolved(String pattern, SortedSet<String> topics) implements ConsumerGroupRecord {
        public PatternResolved {
            topics = Collections.unmodifiableSortedSet(new TreeSet<>(topics));
        }

        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** Nobody subscribes by the pattern any more. */
    record PatternForgotten(String pattern) implements ConsumerGroupRecord {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** What the member shall have. */
    record TargetSet(String memberId, Partitions<UUID> partitions) implements ConsumerGroupRecord {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /**
     * Where the member stands on its way to its target.
     *
     * @param heldSince what it has or shall give up, by the member epoch at which it got it (KIP-1251)
     */
    record CurrentSet(
            String memberId,
            int memberEpoch,
            int previousMemberEpoch,
            Partitions<UUID> assigned,
            Partitions<UUID> pendingRevocation,
            SortedMap<Integer, Partitions<UUID>> heldSince)
            implements ConsumerGroupRecord, CurrentAssignment {
        public CurrentSet {
            heldSince = Collections.unmodifiableSortedMap(new TreeMap<>(heldSince));
        }

        /** A member that joins: it has nothing. */
        public static CurrentSet atJoin(String memberId) {
            return new CurrentSet(memberId, 0, 0, Partitions.none(), Partitions.none(), new TreeMap<>());
        }

        @Override
        public boolean isRevoking() {
            return !pendingRevocation.isEmpty();
        }

        @Override
        public CurrentSet away() {
            return new CurrentSet(
                    memberId,
                    MemberHeartbeat.TEMPORARY_LEAVE_EPOCH,
                    previousMemberEpoch,
                    assigned,
                    Partitions.none(),
                    heldSince);
        }

        /** The member epoch at which it got the partition; empty if it does not have it. */
        public OptionalInt heldSince(UUID topicId, int partition) {
            return heldSince.entrySet().stream()
                    .filter(entry -> entry.getValue().contains(topicId, partition))
                    .mapToInt(Map.Entry::getKey)
                    .findFirst();
        }

        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }
}
